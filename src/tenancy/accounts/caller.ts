import type { Rights } from '../../api-kit/policy/rights';
import type { Plan } from './plan';

/** `frozen`: by its owner, for changes. `disabled`: by the operator, for all requests. */
export type Stopped = 'frozen' | 'disabled';

/** Returns what an account refuses. */
export const stoppedOf = ({ frozen, disabled }: { frozen: boolean; disabled: boolean }): Stopped | null =>
  disabled ? 'disabled' : frozen ? 'frozen' : null;

/** The authenticated account and user of a request. */
export interface Caller {
  accountId: string;
  plan: Plan;
  /** The owner of created resources: the signed-in user, or the user of the API key. */
  userId: string;
  /** Null for a signed-in user. */
  apiKeyId: string | null;
  rights: Rights;
  /** Why the account accepts no changes, or no requests; null if it does. */
  stopped: Stopped | null;
}
