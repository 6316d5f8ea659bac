import { LRUCache } from 'lru-cache';
import { fitsLinkQrCode, linkQrCode } from '../../link-routing/pages/link-qr-code';
import { InMemoryRateLimitStorage } from '../../platform/rate-limit/in-memory-rate-limit-storage';
import type { Markup } from '../../shared/markup';
import type { Clock } from '../../shared/clock';

/**
 * Limits the codes with a visitor's parameters to 50 per second of a process. Drawing takes as long as ten redirects, and a client may
 * send other parameters with every request.
 */
export const drawLimit = { codes: 20, windowMs: 400 };

/** Draws the QR codes of landing pages that are opened with parameters, and caches the latest. */
export class LinkQrCodes {
  readonly #codes: LRUCache<string, Markup>;
  readonly #drawn: InMemoryRateLimitStorage;

  constructor(maxBytes: number, clock: Clock) {
    this.#drawn = new InMemoryRateLimitStorage(clock);
    this.#codes = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ text }, url) => text.length + url.length + 250,
    });
  }

  /**
   * Returns the code of `url`. If the URL is too long for one, or beyond the limit, it returns that of `plainUrl`, the same link
   * without the visitor's parameters. It returns null if that is too long too.
   */
  codeOf(url: string, plainUrl: string): Markup | null {
    const known = this.#codes.get(url);
    if (known) return known;
    const isDrawn =
      url === plainUrl || (fitsLinkQrCode(url) && this.#drawn.count('', drawLimit.windowMs) <= drawLimit.codes);
    if (!isDrawn) return this.codeOf(plainUrl, plainUrl);
    const code = linkQrCode(url);
    if (code) this.#codes.set(url, code);
    return code;
  }
}
