import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Account, User } from './account';
import { AccountRepository } from './account.repository';
import type { Plan } from './plan';

interface AccountRow {
  id: string;
  name: string;
  plan: Plan;
  created_at: Date;
}

interface UserRow {
  id: string;
  account_id: string;
  email: string | null;
  created_at: Date;
}

@Injectable()
export class TypeormAccountRepository extends AccountRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async insert(account: Omit<Account, 'createdAt'>): Promise<Account> {
    const [row] = await this.context.manager.query<AccountRow[]>(
      'INSERT INTO accounts (id, name, plan) VALUES ($1, $2, $3) RETURNING id, name, plan, created_at',
      [account.id, account.name, account.plan],
    );
    return toAccount(row!);
  }

  async insertUser(user: Omit<User, 'createdAt'>): Promise<User> {
    const [row] = await this.context.manager.query<UserRow[]>(
      'INSERT INTO users (id, account_id, email) VALUES ($1, $2, $3) RETURNING id, account_id, email, created_at',
      [user.id, user.accountId, user.email],
    );
    return toUser(row!);
  }

  async find(id: string): Promise<Account | null> {
    const [row] = await this.context.read<AccountRow>('SELECT id, name, plan, created_at FROM accounts WHERE id = $1', [
      id,
    ]);
    return row ? toAccount(row) : null;
  }

  async list(name: string | null): Promise<Account[]> {
    const rows = await this.context.read<AccountRow>(
      `SELECT id, name, plan, created_at FROM accounts
       WHERE $1::text IS NULL OR strpos(lower(name), lower($1)) > 0 ORDER BY created_at, id`,
      [name],
    );
    return rows.map(toAccount);
  }

  async findOwner(accountId: string): Promise<User | null> {
    const [row] = await this.context.read<UserRow>(
      'SELECT id, account_id, email, created_at FROM users WHERE account_id = $1 ORDER BY created_at, id LIMIT 1',
      [accountId],
    );
    return row ? toUser(row) : null;
  }

  async setPlan(id: string, plan: Plan): Promise<Account | null> {
    const [rows] = await this.context.manager.query<[AccountRow[], number]>(
      'UPDATE accounts SET plan = $2 WHERE id = $1 RETURNING id, name, plan, created_at',
      [id, plan],
    );
    return rows[0] ? toAccount(rows[0]) : null;
  }

  async any(): Promise<boolean> {
    const [row] = await this.context.read<{ any: boolean }>('SELECT EXISTS (SELECT FROM accounts) AS any');
    return row!.any;
  }

  async lock(id: string): Promise<void> {
    await this.context.manager.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }
}

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  createdAt: row.created_at,
});

const toUser = (row: UserRow): User => ({
  id: row.id,
  accountId: row.account_id,
  email: row.email,
  createdAt: row.created_at,
});
