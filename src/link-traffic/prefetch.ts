import type { IncomingHttpHeaders } from 'node:http';

/** The first word of the headers. `preview` is the value of the apps of Facebook, which prefetch links that are on the screen. */
const prefetchPurpose = /^(?:prefetch|preview)(?![\w-])/i;

/**
 * Returns whether software fetches the link before a person has tapped it. Browsers send `Sec-Purpose` (WHATWG Fetch), older ones
 * `Purpose` or `X-Moz`, and apps `X-Purpose`.
 */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz'];
  return typeof purpose === 'string' && prefetchPurpose.test(purpose);
}
