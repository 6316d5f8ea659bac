import { LRUCache } from 'lru-cache';
import { parseUrl } from '../shared/url';

/** Web pages, and Android apps, which browsers name like `android-app://com.google.android.gm/`. */
const schemes = new Set(['http:', 'https:', 'android-app:']);

/** Names and IP addresses, as they are written in URLs. What else a URL may have for a host is nobody's. */
const plain = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])$/;

/** Long ones are rare, and would let a stranger fill the memory. */
const longestKept = 512;
const known = new LRUCache<string, { host: string | null }>({ max: 5000 });

/** The host in `Referer`, in lower case; null where it names none. Of the page itself nothing is kept. */
export function referringHost(referrer: string | undefined): string | null {
  if (referrer === undefined || referrer === '') return null;
  if (referrer.length > longestKept) return hostOf(referrer);
  let kept = known.get(referrer);
  if (!kept) known.set(referrer, (kept = { host: hostOf(referrer) }));
  return kept.host;
}

function hostOf(referrer: string): string | null {
  // A URL on its way is ASCII (RFC 3986); of other bytes nobody could say what they mean.
  const url = /^[\x21-\x7e]+$/.test(referrer) ? parseUrl(referrer) : null;
  if (!url || !schemes.has(url.protocol)) return null;
  const host = url.hostname.toLowerCase();
  return plain.test(host) ? host : null;
}
