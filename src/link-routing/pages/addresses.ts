import { parseUrl } from '../../shared/url';

/**
 * The address, as it was spelled, if it is one that a page may fetch from or go to on the web, else null. Callers pass valid
 * ones; this holds when one of them is wrong. It reads addresses as browsers do, who drop white space within a scheme.
 */
export const webAddress = (url: string | null): string | null => (hasScheme(url, ['http:', 'https:']) ? url : null);

/** Also what opens an Android app: https://developer.chrome.com/docs/android/intents */
export const appAddress = (url: string): string | null => (hasScheme(url, ['http:', 'https:', 'intent:']) ? url : null);

function hasScheme(url: string | null, schemes: string[]): boolean {
  const parsed = url === null ? null : parseUrl(url);
  return parsed !== null && schemes.includes(parsed.protocol);
}
