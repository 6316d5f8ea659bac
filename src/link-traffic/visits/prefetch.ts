import type { IncomingHttpHeaders } from 'node:http';

/** The first word of the headers. `preview` is the value of the apps of Facebook, which prefetch links that are on the screen. */
const prefetchPurpose = /^(?:prefetch|preview)(?![\w-])/i;

/**
 * Returns whether software fetches the link before a person has tapped it. Browsers send `Sec-Purpose` (WHATWG Fetch), older ones
 * `Purpose` or `X-Moz`, and apps `X-Purpose`.
 */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  isPurpose(headers['sec-purpose']) ||
  isPurpose(headers['purpose']) ||
  isPurpose(headers['x-purpose']) ||
  isPurpose(headers['x-moz']);

const isPurpose = (value: string | string[] | undefined): boolean =>
  typeof value === 'string' && prefetchPurpose.test(value);
