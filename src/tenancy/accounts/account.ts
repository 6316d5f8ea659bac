import type { Plan } from './plan';

/** A tenant. */
export interface Account {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Date;
}

export interface User {
  id: string;
  accountId: string;
  email: string | null;
  createdAt: Date;
}
