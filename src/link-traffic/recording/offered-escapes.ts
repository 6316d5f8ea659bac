import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';

/** How long after its page the button may be tapped. */
const ttlMs = 10 * 60_000;

/** Bounds the memory to some 10 MB. */
const maxKeys = 50_000;

/**
 * Counts the pages that offered a way out of an in-app browser, for each link and network. The browser that opens sends nothing
 * that proves its origin, and its URL may have been shared. So only as many visits continue as pages were shown.
 */
export class OfferedEscapes {
  readonly #offers: LRUCache<string, number>;

  constructor(clock: Clock) {
    const size = { maxSize: maxKeys, sizeCalculation: () => 1 };
    this.#offers = new LRUCache({ ...size, ttl: ttlMs, ttlResolution: 0, perf: clock });
  }

  add(key: string): void {
    this.#offers.set(key, (this.#offers.get(key) ?? 0) + 1);
  }

  /** Removes one offer; returns false if there is no current one. */
  take(key: string): boolean {
    const count = this.#offers.get(key);
    if (count === undefined) return false;
    if (count === 1) this.#offers.delete(key);
    else this.#offers.set(key, count - 1, { noUpdateTTL: true });
    return true;
  }
}
