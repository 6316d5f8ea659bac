import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { updateRow } from '../../platform/tables/update-row';
import { defaultsOf } from '../../shared/field-table';
import type { Account, AccountChanges, User } from './account';
import { accountFields } from './account-fields';
import { AccountRepository } from './account.repository';
import { AccountSchema, UserSchema } from './account.schema';

@Injectable()
export class TypeormAccountRepository implements AccountRepository {
  constructor(private readonly context: TransactionContext) {}

  get #accounts(): Repository<Account> {
    return this.context.manager.getRepository(AccountSchema);
  }

  get #users(): Repository<User> {
    return this.context.manager.getRepository(UserSchema);
  }

  async insert(account: Pick<Account, 'id' | 'name' | 'plan'>): Promise<Account> {
    const row = { ...account, ...defaultsOf(accountFields), disabled: false } as Account;
    await this.context.run(() => this.#accounts.insert(row));
    return row;
  }

  async insertUser(user: Omit<User, 'createdAt'>): Promise<User> {
    const row = { ...user } as User;
    await this.context.run(() => this.#users.insert(row));
    return row;
  }

  find(id: string): Promise<Account | null> {
    return this.#accounts.findOneBy({ id });
  }

  list(name: string | null): Promise<Account[]> {
    const query = this.#accounts.createQueryBuilder('t').orderBy('t.createdAt').addOrderBy('t.id');
    if (name !== null) query.where('strpos(lower(t.name), lower(:name)) > 0', { name });
    return query.getMany();
  }

  findOwner(accountId: string): Promise<User | null> {
    return this.#users.findOne({ where: { accountId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  update(id: string, changes: AccountChanges): Promise<Account | null> {
    return updateRow(this.context, AccountSchema, { id }, changes);
  }

  any(): Promise<boolean> {
    return this.#accounts.exists();
  }

  async lock(id: string): Promise<void> {
    await this.#accounts.findOne({ select: { id: true }, where: { id }, lock: { mode: 'for_no_key_update' } });
  }
}
