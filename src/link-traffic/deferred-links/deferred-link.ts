import { createHash, randomBytes } from 'node:crypto';

const day = 24 * 60 * 60_000;

/** Milliseconds that a token can be claimed: as long as the clipboard may be expected to hold it, and as Play keeps referrers. */
export const lifetimes = { ios: 7 * day, android: 90 * day };

/** A visit that may continue in an app that is yet to be installed. The app claims it, once, by the token. */
export interface DeferredLink {
  token: string;
  projectId: string;
  dynamicLinkId: string;
  clickedAt: Date;
  expiresAt: Date;
}

/** What an app learns of the visit that led to its installation. */
export interface ClaimedLink {
  customPath: string;
  referrerParams: readonly (readonly [string, string])[];
  clickedAt: Date;
}

/** 128 random bits, in 22 characters that need no encoding in URLs. */
export const newToken = (): string => randomBytes(16).toString('base64url');

export const looksLikeToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{22}$/.test(value);

/** What is stored instead of the token: who reads the table can claim nothing. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
