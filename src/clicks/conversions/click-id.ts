import { createHash, randomBytes } from 'node:crypto';

/** A visit, claim or open whose conversions count. Only the digest of its id is stored. */
export interface IssuedClickId {
  digest: Buffer;
  projectId: string;
  dynamicLinkId: string;
  shortLinkId: string | null;
  platform: string;
  /** Name of the variant that the visit led to; null without one. */
  variant: string | null;
  /** The day (UTC), such as `2026-11-30`. */
  day: string;
}

/** Returns 128 random bits as 22 URL-safe characters. */
export const newClickId = (): string => randomBytes(16).toString('base64url');

/**
 * Returns the click id of a claim or an open. The same secret gives the same id, so that a repeated request gets the first one again.
 * @param secret a text that the app alone knows, with at least 128 random bits
 */
export const clickIdOf = (secret: string): string =>
  createHash('sha256').update(`click id of ${secret}`).digest().subarray(0, 16).toString('base64url');

/** Returns the digest that is stored instead of the id, so that a leaked table allows no conversion. */
export const digestOfClickId = (id: string): Buffer => createHash('sha256').update(id).digest();
