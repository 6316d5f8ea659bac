import { createHash, randomBytes } from 'node:crypto';
import { text } from '../../shared/text';

const dayMs = 24 * 60 * 60_000;

/** A clipboard rarely keeps the token for longer on iOS; Google Play keeps install referrers for 90 days. */
export const tokenLifetimeMs = { ios: 7 * dayMs, android: 90 * dayMs };

/**
 * How long expired and claimed links stay stored. An insertion whose answer was lost is repeated, and must not make a claimed token
 * valid again.
 */
export const keptAfterExpiryMs = 60 * 60_000;

/** A visit that may continue in an app after its installation. The app claims it once, by the token. */
export interface DeferredLink {
  token: string;
  projectId: string;
  dynamicLinkId: string;
  /** The time of the visit, by `performance.now`. Its age gives the time by the clock of the database. */
  visitedAtMs: number;
  lifetimeMs: number;
  /** The app in whose browser the visit was; empty for other browsers. */
  browser: string;
  /** The step that the visitor has reached with the token: a page that has it, or the store. */
  step: 'shown' | 'store';
}

/** The facts about a claim beside its token. */
export interface Claim {
  country: string | null;
  /** A claim with the same id succeeds again for an hour, and counts once. Null without one. */
  id: string | null;
}

export const plainClaim: Claim = { country: null, id: null };

/** The visit of a token. */
export interface TokenVisit {
  dynamicLinkId: string;
  platform: 'ios' | 'android';
  browser: string;
  /** False once the token has expired or was claimed. The platform of a claimed one is unknown. */
  isValid: boolean;
}

/** The visit that led to the installation, as returned to the app. */
export interface ClaimedLink {
  customPath: string;
  externalId: string | null;
  referrerParams: readonly (readonly [string, string])[];
  /** JSON for the app. */
  appData: string | null;
  clickedAt: Date;
  /** The id by which conversions count for the link; null if they do not. A repeated claim gets the same one. */
  clickId: string | null;
}

/** The digits of base64url (RFC 4648, section 5). */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The code of the primary in tokens. Regions have codes from 1 to 15. */
export const primaryCode = 0;

/**
 * Returns 128 random bits as 22 URL-safe characters. The last one has four bits more, which are the code of the region that issues
 * the token.
 */
export function newToken(region: number = primaryCode): string {
  const random = randomBytes(16).toString('base64url');
  return random.slice(0, -1) + digits[digits.indexOf(random.at(-1)!) | region]!;
}

export const regionOf = (token: string): number => digits.indexOf(token.at(-1)!) & 15;

/** The rule of tokens in requests. */
export const deferredToken = text({
  min: 22,
  max: 22,
  pattern: /^[A-Za-z0-9_-]*$/,
  patternSays: 'have only letters, digits, "_" and "-"',
});

export const isTokenFormat = (value: unknown): value is string => deferredToken.tryParse(value) !== null;

/** Returns the digest that is stored instead of the token, so that a leaked table allows no claim. */
export const digestOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
