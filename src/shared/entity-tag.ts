import { createHash } from 'node:crypto';

/** A strong tag of these bytes, with its quotes. */
export const tagOf = (content: string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;

/**
 * Whether `If-None-Match` names the tag, or anything (RFC 9110, section 13.1.2: weak comparison). Express's `request.fresh`
 * is no such test: it is false for requests with `Cache-Control: no-cache`, which `fetch` adds to every one of its own with
 * this header.
 *
 * @param tag as in `ETag`, with its quotes
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(opaque) ?? false;
}

/**
 * Whether `If-Match` names the tag, or anything (RFC 9110, section 13.1.1: strong comparison, so a weak tag is none). What is
 * no tag at all matches nothing: a change that was to be guarded is not made unguarded.
 */
export function isTag(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return ifMatch.match(/(?:W\/)?"[^"]*"/g)?.includes(tag) ?? false;
}
