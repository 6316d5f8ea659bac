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
