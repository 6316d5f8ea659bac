import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import { defaultsOf } from '../../shared/field-table';
import type { Account, AccountChanges, User } from './account';
import { accountFields } from './account-fields';
import { AccountRepository } from './account.repository';
import { AccountSchema, UserSchema } from './account.schema';

@Injectable()
export class TypeormAccountRepository implements AccountRepository {
  readonly #accounts: EntityRows<Account>;
  readonly #users: EntityRows<User>;

  constructor(context: TransactionContext) {
    this.#accounts = new EntityRows(context, AccountSchema);
    this.#users = new EntityRows(context, UserSchema);
  }

  insert(account: Pick<Account, 'id' | 'name' | 'plan'>): Promise<Account> {
    return this.#accounts.insert({ ...account, ...defaultsOf(accountFields), disabled: false });
  }

  insertUser(user: Omit<User, 'createdAt'>): Promise<User> {
    return this.#users.insert({ ...user });
  }

  find(id: string): Promise<Account | null> {
    return this.#accounts.find({ id });
  }

  list(name: string | null): Promise<Account[]> {
    const query = this.#accounts.repository.createQueryBuilder('t').orderBy('t.createdAt').addOrderBy('t.id');
    if (name !== null) query.where('strpos(lower(t.name), lower(:name)) > 0', { name });
    return query.getMany();
  }

  findOwner(accountId: string): Promise<User | null> {
    return this.#users.repository.findOne({ where: { accountId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  update(id: string, changes: AccountChanges): Promise<Account | null> {
    return this.#accounts.update({ id }, changes);
  }

  any(): Promise<boolean> {
    return this.#accounts.repository.exists();
  }

  async lock(id: string): Promise<void> {
    await this.#accounts.repository.findOne({
      select: { id: true },
      where: { id },
      lock: { mode: 'for_no_key_update' },
    });
  }
}
