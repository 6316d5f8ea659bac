import type { Account, User } from './account';
import type { Plan } from './plan';

export abstract class AccountRepository {
  abstract insert(account: Omit<Account, 'createdAt'>): Promise<Account>;
  abstract insertUser(user: Omit<User, 'createdAt'>): Promise<User>;
  abstract find(id: string): Promise<Account | null>;
  /** The account's first user. */
  abstract findOwner(accountId: string): Promise<User | null>;
  /** Null where there is no such account. */
  abstract setPlan(id: string, plan: Plan): Promise<Account | null>;
  /** Whether there is any account at all. */
  abstract any(): Promise<boolean>;
  /** Lets nobody else pass the same point for this account before the unit of work ends. */
  abstract lock(id: string): Promise<void>;
}
