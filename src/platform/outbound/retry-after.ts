/**
 * Reads the header `Retry-After` (RFC 9110, section 10.2.3) in milliseconds; null if it is absent or malformed.
 * @param now milliseconds since 1970
 */
export function retryAfterMsOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
