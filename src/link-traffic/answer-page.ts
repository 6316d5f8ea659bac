import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from '../link-routing/pages/page';

/** Headers of answers that depend on the device (RFC 9110, section 12.5.5). */
export const varies = { Vary: 'User-Agent, Sec-CH-UA-Platform' };

/** For this visitor and this moment alone. */
export const privately = { 'Cache-Control': 'private, no-store' };

/**
 * Sends a page, or to HEAD its headers. One for a single visitor may be longer for GET, by a token that HEAD gets none of, and
 * HEAD names no other length than GET has (RFC 9110, section 8.6).
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  page: Page,
  headers: Record<string, string | number>,
): void {
  const lengthIsKnown = request.method !== 'HEAD' || headers['Cache-Control'] !== privately['Cache-Control'];
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    ...(lengthIsKnown && { 'Content-Length': Buffer.byteLength(page.html) }),
    'Content-Security-Policy': page.contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : page.html);
}
