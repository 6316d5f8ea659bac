import type { Plan } from './plan';

/** A tenant. */
export interface Account {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Date;
}

/** A person of an account. */
export interface User {
  id: string;
  accountId: string;
  email: string | null;
  createdAt: Date;
}
