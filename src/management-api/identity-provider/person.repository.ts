import type { Plan } from '../accounts/plan';
import type { Identity } from './identity';

export abstract class PersonRepository {
  /** The plan of the identity's account, and its user (null: not seen yet); null where there is no such account. */
  abstract find(identity: Identity): Promise<{ plan: Plan; userId: string | null } | null>;

  /** Makes a user of the identity; false where it has one already, or its account is gone. */
  abstract insert(userId: string, identity: Identity): Promise<boolean>;
}
