import type { Plan } from './plan';

/** Who a request acts for. */
export interface Caller {
  accountId: string;
  plan: Plan;
  /** The person that what is made belongs to: the one who is signed in, or the one whose key it is. */
  userId: string;
  /** Null for a signed-in person. */
  apiKeyId: string | null;
}
