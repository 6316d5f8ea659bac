import type { IncomingHttpHeaders } from 'node:http';
import { flushResponses } from '../answers/flush-responses';
import type { Exchange } from '../exchange';

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

/** Refuses a prefetch, so that the browser has nothing to show for the tap and asks again. */
export function refusePrefetch({ response, requestId }: Exchange): void {
  response.writeHead(503, [
    'Cache-Control',
    'no-store',
    'X-Robots-Tag',
    'noindex',
    'X-Request-Id',
    requestId,
    'Content-Length',
    '0',
  ]);
  flushResponses(response);
}
