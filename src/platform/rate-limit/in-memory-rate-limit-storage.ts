import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';

/**
 * Counts in windows that begin at whole multiples of their length, so that every replica and every header agree on when one
 * ends. Only the current window is kept; the callers counted in it are bounded, the least recent one is forgotten first.
 */
export class InMemoryRateLimitStorage implements ThrottlerStorage {
  readonly #hits = new LRUCache<string, number>({ maxSize: 200_000, sizeCalculation: () => 1 });
  #window = 0;

  constructor(private readonly clock: Clock) {}

  /** How often the key was counted in the current window of `ttl` milliseconds, with this time. */
  count(key: string, ttl: number): number {
    const now = this.clock.now();
    const window = now - (now % ttl);
    if (window !== this.#window) {
      this.#window = window;
      this.#hits.clear();
    }
    const hits = (this.#hits.get(key) ?? 0) + 1;
    this.#hits.set(key, hits);
    return hits;
  }

  /** `ttl` in milliseconds, and so are the times in the answer. */
  async increment(
    key: string,
    ttl: number,
    limit: number,
  ): Promise<{ totalHits: number; timeToExpire: number; isBlocked: boolean; timeToBlockExpire: number }> {
    const totalHits = this.count(key, ttl);
    const timeToExpire = ttl - (this.clock.now() % ttl);
    return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
  }
}
