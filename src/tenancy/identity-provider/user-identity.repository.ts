import type { Plan } from '../accounts/plan';
import type { Identity } from './identity';

export abstract class UserIdentityRepository {
  /** Returns null if the account does not exist; `userId` is null before the first request of the identity. */
  abstract find(identity: Identity): Promise<{ plan: Plan; userId: string | null } | null>;

  /** Creates the user of an identity. Returns false if it exists already or the account is gone. */
  abstract insert(userId: string, identity: Identity): Promise<boolean>;
}
