import { hash } from 'node:crypto';

/** Returns the tag of a content: the first 162 bits of its SHA-256. */
export const tagOf = (content: string | Uint8Array): string => `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;

/**
 * Returns whether `If-None-Match` names the tag or is `*` (RFC 9110, section 13.1.2: weak comparison). Express's
 * `request.fresh` does not work here, because `fetch` adds `Cache-Control: no-cache` to requests with this header.
 *
 * @param tag as in `ETag`, with its quotes
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(opaque) ?? false;
}

/** Matches a list of tags, perhaps with empty elements (RFC 9110, sections 5.6.1 and 8.8.3). */
const tagList = /^(?:[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,|$))+[ \t,]*$/;

/**
 * Returns whether `If-Match` names the tag or is `*` (RFC 9110, section 13.1.1: strong comparison). A malformed header matches
 * nothing, so that it never lets a change through.
 */
export function isTag(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  if (!tagList.test(ifMatch)) return false;
  return ifMatch.match(/(?:W\/)?"[^"]*"/g)!.includes(tag);
}
