import type { Rights } from '../../api-kit/policy/rights';
import type { Plan } from './plan';

/** The authenticated account and user of a request. */
export interface Caller {
  accountId: string;
  plan: Plan;
  /** The owner of created resources: the signed-in user, or the user of the API key. */
  userId: string;
  /** Null for a signed-in user. */
  apiKeyId: string | null;
  rights: Rights;
}
