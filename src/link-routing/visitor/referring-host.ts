import { LRUCache } from 'lru-cache';
import { parseUrl } from '../../shared/url';

/** Web pages, and Android apps such as `android-app://com.google.android.gm/`. */
const schemes = new Set(['http:', 'https:', 'android-app:']);

/** Host names and IP addresses. Other opaque hosts are not reported. */
const plainHost = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])$/;

/** Longer values are not cached, because they are rare and would let a client exhaust memory. */
const maxCachedChars = 512;
const cache = new LRUCache<string, { host: string | null }>({ max: 5000 });

/** Returns the host of `Referer` in lower case, or null. The path is dropped for privacy. */
export function referringHost(referrer: string | undefined): string | null {
  if (referrer === undefined || referrer === '') return null;
  if (referrer.length > maxCachedChars) return hostOf(referrer);
  let cached = cache.get(referrer);
  if (!cached) cache.set(referrer, (cached = { host: hostOf(referrer) }));
  return cached.host;
}

function hostOf(referrer: string): string | null {
  // URLs in headers are ASCII (RFC 3986); the encoding of other bytes is unknown.
  const url = /^[\x21-\x7e]+$/.test(referrer) ? parseUrl(referrer) : null;
  if (!url || !schemes.has(url.protocol)) return null;
  const host = url.hostname.toLowerCase();
  return plainHost.test(host) ? host : null;
}
