import { createHash } from 'node:crypto';

/** The subject of a token and the account that the token names. */
export interface Identity {
  accountId: string;
  issuer: string;
  /** Unique within its issuer. */
  subject: string;
  email: string | null;
  /** The groups that the token names. Unlike the rest, they can differ in two tokens of a person. */
  groups: readonly string[];
}

/** Returns one opaque rate-limit and cache key for all tokens of an identity. */
export const identityDigest = ({ accountId, issuer, subject }: Identity): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, issuer, subject]))
    .digest('hex');
