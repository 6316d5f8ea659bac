import type { Properties } from '../../shared/field-table';
import type { AccountFields } from './account-fields';
import type { Plan } from './plan';

export interface Account extends Properties<AccountFields> {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Date;
  /** Whether the operator has stopped all requests to the API. */
  disabled: boolean;
}

export type AccountChanges = Partial<Properties<AccountFields> & Pick<Account, 'disabled' | 'plan'>>;

export interface User {
  id: string;
  accountId: string;
  email: string | null;
  createdAt: Date;
}
