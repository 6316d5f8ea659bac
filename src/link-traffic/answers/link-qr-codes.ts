import { LRUCache } from 'lru-cache';
import { linkQrCode } from '../../link-routing/pages/link-qr-code';
import type { Markup } from '../../shared/markup';
import type { Clock } from '../../shared/clock';

/**
 * The codes with a visitor's parameters that a process draws per second, and at once after a pause. Drawing takes as long as ten
 * redirects, and a client may send other parameters with every request.
 */
export const maxDrawnPerSecond = 50;
export const maxDrawnAtOnce = 20;

/** Draws the QR codes of landing pages that are opened with parameters, and caches the latest. */
export class LinkQrCodes {
  readonly #codes: LRUCache<string, Markup>;
  /** The draws left, as of the given time (a token bucket). */
  #left = maxDrawnAtOnce;
  #leftAt = 0;

  constructor(
    maxBytes: number,
    private readonly clock: Clock,
  ) {
    this.#codes = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ text }, url) => text.length + url.length + 250,
    });
  }

  /**
   * Returns the code of `url`. If the URL is too long for one, or beyond `maxDrawnPerSecond`, it returns that of `plainUrl`, the
   * same link without the visitor's parameters. It returns null if that is too long too.
   */
  codeOf(url: string, plainUrl: string): Markup | null {
    const known = this.#codes.get(url);
    if (known) return known;
    if (url !== plainUrl && this.#exhausted()) return this.codeOf(plainUrl, plainUrl);
    const code = linkQrCode(url);
    if (!code) return url === plainUrl ? null : this.codeOf(plainUrl, plainUrl);
    if (url !== plainUrl) this.#left--;
    this.#codes.set(url, code);
    return code;
  }

  #exhausted(): boolean {
    const now = this.clock.now();
    const gained = (Math.max(0, now - this.#leftAt) * maxDrawnPerSecond) / 1000;
    this.#left = Math.min(maxDrawnAtOnce, this.#left + gained);
    this.#leftAt = now;
    return this.#left < 1;
  }
}
