import { otherScheme, schemeOf } from '../../shared/destination-url';
import { parseUrl } from '../../shared/url';

/**
 * Returns the URL unchanged if its scheme is http or https, or null. This is a second line of defence: callers pass valid
 * URLs. The parser follows the URL Standard, because browsers ignore white space within a scheme.
 */
export const webUrl = (url: string | null): string | null => (hasScheme(url, ['http:', 'https:']) ? url : null);

/**
 * Returns the URL like `webUrl`, and also accepts `intent:` URLs, which open Android apps
 * (https://developer.chrome.com/docs/android/intents).
 */
export const appUrl = (url: string): string | null => (hasScheme(url, ['http:', 'https:', 'intent:']) ? url : null);

/** Returns the address unchanged if its scheme may leave an in-app browser, or null. */
export const browserUrl = (url: string | null): string | null =>
  url !== null && (url.startsWith('intent:') || otherScheme.tryParse(schemeOf(url)) !== null) ? url : null;

/** Returns the URL unchanged if its scheme is one that a project may allow beside http and https, or null. */
export const otherSchemeUrl = (url: string): string | null =>
  otherScheme.tryParse(schemeOf(url)) === null ? null : url;

function hasScheme(url: string | null, schemes: string[]): boolean {
  if (url === null) return false;
  // Nothing that the parser ignores stands before or in such a scheme. Parsing took a tenth of a page that differs for each visit.
  const plain = /^([a-z][a-z-]*:)\/\/[a-z0-9]/.exec(url)?.[1];
  const scheme = plain ?? parseUrl(url)?.protocol;
  return scheme !== undefined && schemes.includes(scheme);
}
