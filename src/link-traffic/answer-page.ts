import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from '../link-routing/pages/page';

/** Headers of answers that depend on the device (RFC 9110, section 12.5.5). */
export const deviceDependent = { Vary: 'User-Agent, Sec-CH-UA-Platform' };

/** The answer depends on the visitor and the time. */
export const uncacheable = { 'Cache-Control': 'private, no-store' };

/**
 * Sends a page, or only its headers for HEAD. HEAD omits `Content-Length` for uncacheable pages, because it must agree with
 * GET (RFC 9110, section 8.6). The page for GET may contain a token that HEAD does not issue.
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  page: Page,
  headers: Record<string, string | number>,
): void {
  const lengthIsKnown = request.method !== 'HEAD' || headers['Cache-Control'] !== uncacheable['Cache-Control'];
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
