import { LRUCache } from 'lru-cache';
import { languageRanges } from '../../shared/preferred-language';

/** Longer values are not cached, because they are rare and would let a client exhaust memory. */
const maxCachedChars = 128;
const cache = new LRUCache<string, { language: string | null }>({ max: 2000 });

/**
 * Returns the language tag of the highest quality in `Accept-Language`, and the first of equal ones. It is in canonical form (RFC 5646,
 * section 4.5) and lower case. Returns null without one.
 */
export function preferredLanguageOf(acceptLanguage: string | undefined): string | null {
  if (acceptLanguage === undefined || acceptLanguage === '') return null;
  if (acceptLanguage.length > maxCachedChars) return read(acceptLanguage);
  let cached = cache.get(acceptLanguage);
  if (!cached) cache.set(acceptLanguage, (cached = { language: read(acceptLanguage) }));
  return cached.language;
}

function read(acceptLanguage: string): string | null {
  let best: { tag: string; quality: number } | null = null;
  for (const range of languageRanges(acceptLanguage))
    if (range.tag !== '*' && range.quality > (best?.quality ?? 0)) best = range;
  if (best === null) return null;
  try {
    return Intl.getCanonicalLocales(best.tag)[0]?.toLowerCase() ?? null;
  } catch {
    return null;
  }
}
