import { LRUCache } from 'lru-cache';
import type { Clock } from '../shared/clock';

/** How long after its page the button may be tapped. */
const ttlMs = 10 * 60_000;

/** Bounds the memory to some 10 MB. */
const maxKeys = 50_000;

interface Offer {
  count: number;
  /** The time of the latest page. */
  at: number;
}

/**
 * Counts the pages that offered a way out of an in-app browser, for each link and network. The browser that opens sends nothing
 * that proves its origin, and its URL may have been shared. So only as many visits continue as pages were shown.
 */
export class OfferedEscapes {
  readonly #offers = new LRUCache<string, Offer>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  constructor(private readonly clock: Clock) {}

  add(key: string): void {
    this.#offers.set(key, { count: (this.#current(key)?.count ?? 0) + 1, at: this.clock.now() });
  }

  /** Removes one offer; returns false if there is no current one. */
  take(key: string): boolean {
    const offer = this.#current(key);
    if (!offer) return false;
    if (--offer.count === 0) this.#offers.delete(key);
    return true;
  }

  #current(key: string): Offer | undefined {
    const offer = this.#offers.get(key);
    return offer && this.clock.now() - offer.at < ttlMs ? offer : undefined;
  }
}
