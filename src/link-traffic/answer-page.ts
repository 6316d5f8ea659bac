import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from './pages/page';

/** Headers of answers that depend on the device (RFC 9110, section 12.5.5). */
export const varies = { Vary: 'User-Agent, Sec-CH-UA-Platform' };

/** For this visitor and this moment alone. */
export const privately = { 'Cache-Control': 'private, no-store' };

/** Sends a page, or to HEAD its headers. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  page: Page,
  headers: Record<string, string | number>,
): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page.html),
    'Content-Security-Policy': page.contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : page.html);
}
