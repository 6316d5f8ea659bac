import type { DashboardSettings } from './dashboard-settings';

export class SignInSettings {
  /** Undefined if nobody signs in. */
  readonly provider: DashboardSettings | undefined;
  /** False in a process that answers link traffic only: it never reads the provider's keys. */
  readonly readsKeys: boolean;
}
