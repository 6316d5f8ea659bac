import type { Account, AccountChanges, User } from './account';

export abstract class AccountRepository {
  abstract insert(account: Pick<Account, 'id' | 'name' | 'plan'>): Promise<Account>;
  abstract insertUser(user: Omit<User, 'createdAt'>): Promise<User>;
  abstract find(id: string): Promise<Account | null>;
  /** Returns the accounts whose name contains the text in any letter case, the oldest first; null for all. */
  abstract list(name: string | null): Promise<Account[]>;
  /** Finds the account's first user; null if all were erased. */
  abstract findOwner(accountId: string): Promise<User | null>;
  /** Changes the named fields only. Returns null if the account does not exist. */
  abstract update(id: string, changes: AccountChanges): Promise<Account | null>;
  abstract any(): Promise<boolean>;
  /** Locks the account until the unit of work ends. */
  abstract lock(id: string): Promise<void>;
}
