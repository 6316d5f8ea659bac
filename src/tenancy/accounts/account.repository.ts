import type { Account, User } from './account';
import type { Plan } from './plan';

export abstract class AccountRepository {
  abstract insert(account: Omit<Account, 'createdAt'>): Promise<Account>;
  abstract insertUser(user: Omit<User, 'createdAt'>): Promise<User>;
  abstract find(id: string): Promise<Account | null>;
  /** Returns the accounts whose name contains the text in any letter case, the oldest first; null for all. */
  abstract list(name: string | null): Promise<Account[]>;
  /** Finds the account's first user; null if all were erased. */
  abstract findOwner(accountId: string): Promise<User | null>;
  /** Returns null if the account does not exist. */
  abstract setPlan(id: string, plan: Plan): Promise<Account | null>;
  /** Returns whether the database has any account. */
  abstract any(): Promise<boolean>;
  /** Locks the account until the unit of work ends. */
  abstract lock(id: string): Promise<void>;
}
