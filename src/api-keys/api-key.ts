import type { Plan } from '../accounts/plan';

/** A key as it is listed: never the secret, never its digest. */
export interface ApiKey {
  id: string;
  accountId: string;
  userId: string;
  name: string;
  /** The secret's first characters. */
  prefix: string;
  createdAt: Date;
  /** To the minute; null before the first use. */
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** Who a request acts for. */
export interface Caller {
  accountId: string;
  plan: Plan;
  /** The person that what the key makes belongs to. */
  userId: string;
  apiKeyId: string;
}
