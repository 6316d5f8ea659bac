import { pageLanguageOf } from '../../link-routing/pages/page-language';
import type { MessagePage } from '../../link-routing/pages/messages';
import type { HtmlPage } from '../../link-routing/pages/page';
import type { PageLanguage } from '../../link-routing/pages/page-texts';
import type { Exchange } from '../exchange';
import { flushResponses } from './flush-responses';

/** Headers of answers that depend on the device (RFC 9110, section 12.5.5). */
const deviceVary = 'User-Agent, Sec-CH-UA-Platform';

/** Pages for people also depend on the language of the visitor. */
const pageVary = `${deviceVary}, Accept-Language`;

/** The answer depends on the visitor and the time. */
const uncacheable = 'private, no-store';

/**
 * Sends a page, or only its headers for HEAD. HEAD omits `Content-Length` for uncacheable pages, because it must agree with
 * GET (RFC 9110, section 8.6). The page for GET may contain a token that HEAD does not issue.
 *
 * @param headers names and values in turn, because Node writes a flat array fastest
 */
function sendPage(
  { request, response, requestId }: Exchange,
  status: number,
  page: HtmlPage,
  cacheControl: string,
  headers: readonly string[],
): void {
  const isHead = request.method === 'HEAD';
  const length = isHead && cacheControl === uncacheable ? [] : ['Content-Length', `${page.bytes}`];
  response.writeHead(status, [
    'Content-Type',
    'text/html; charset=utf-8',
    ...length,
    'Content-Security-Policy',
    page.contentSecurityPolicy,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    'Cache-Control',
    cacheControl,
    'X-Request-Id',
    requestId,
    ...headers,
  ]);
  flushResponses(response, isHead ? undefined : page.html, page.encoding);
}

export function sendMessage(
  exchange: Exchange,
  status: number,
  pages: MessagePage | ((language: PageLanguage) => HtmlPage),
  headers: Record<string, string | number> = {},
): void {
  const language = pageLanguageOf(exchange.request.headers['accept-language']);
  const all = { 'X-Robots-Tag': 'noindex', Vary: 'Accept-Language', 'Content-Language': language, ...headers };
  const flat = Object.entries(all).flatMap(([name, value]) => [name, String(value)]);
  sendPage(exchange, status, typeof pages === 'function' ? pages(language) : pages[language], 'no-store', flat);
}

/** Passes the headers as a flat array, because Node writes it fastest. */
export function redirectTo({ response, requestId }: Exchange, location: string, status = 302): void {
  response.writeHead(status, [
    'Location',
    location,
    'Cache-Control',
    uncacheable,
    'Vary',
    deviceVary,
    'X-Request-Id',
    requestId,
    'Content-Length',
    '0',
  ]);
  flushResponses(response);
}

/** Sends a preview. Caches keep none of a link that ends, because they could serve it after the end. */
export function sendPreview(exchange: Exchange, page: HtmlPage, { activeUntil }: { activeUntil: number | null }): void {
  const caching = activeUntil === null ? 'public, max-age=300' : uncacheable;
  sendPage(exchange, 200, page, caching, ['Vary', deviceVary]);
}

/** Sends a page whose content depends on the visitor's device and language. */
export function sendDevicePage(exchange: Exchange, page: HtmlPage, language: PageLanguage): void {
  const headers = ['Vary', pageVary, 'Content-Language', language, 'X-Robots-Tag', 'noindex'];
  sendPage(exchange, 200, page, uncacheable, headers);
}
