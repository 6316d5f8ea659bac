import { createHash, randomBytes } from 'node:crypto';

const dayMs = 24 * 60 * 60_000;

/** A clipboard rarely keeps the token for longer on iOS; Google Play keeps install referrers for 90 days. */
export const tokenLifetimeMs = { ios: 7 * dayMs, android: 90 * dayMs };

/** A visit that may continue in an app after its installation. The app claims it once, by the token. */
export interface DeferredLink {
  token: string;
  projectId: string;
  dynamicLinkId: string;
  clickedAt: Date;
  expiresAt: Date;
}

/** The visit that led to the installation, as returned to the app. */
export interface ClaimedLink {
  customPath: string;
  referrerParams: readonly (readonly [string, string])[];
  clickedAt: Date;
}

/** Returns 128 random bits as 22 URL-safe characters. */
export const newToken = (): string => randomBytes(16).toString('base64url');

export const isTokenFormat = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{22}$/.test(value);

/** Returns the digest that is stored instead of the token, so that a leaked table allows no claim. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
