import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';

type ThrottlerStorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts in fixed windows that begin at whole multiples of their length, so that all replicas and headers agree on their ends.
 * It keeps the current window only, for at most 200,000 callers, and evicts the least recent one first.
 */
export class InMemoryRateLimitStorage implements ThrottlerStorage {
  readonly #hits = new LRUCache<string, { hits: number }>({ maxSize: 200_000, sizeCalculation: () => 1 });
  #window = 0;

  constructor(private readonly clock: Clock) {}

  /** Counts the key and returns its hits in the current window of `ttl` milliseconds. */
  count(key: string, ttl: number): number {
    const now = this.clock.now();
    const window = now - (now % ttl);
    if (window !== this.#window) {
      this.#window = window;
      this.#hits.clear();
    }
    let counter = this.#hits.get(key);
    if (!counter) this.#hits.set(key, (counter = { hits: 0 }));
    return ++counter.hits;
  }

  /** @param ttl milliseconds, like the times in the result */
  async increment(key: string, ttl: number, limit: number): Promise<ThrottlerStorageRecord> {
    const totalHits = this.count(key, ttl);
    const timeToExpire = ttl - (this.clock.now() % ttl);
    return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
  }
}
