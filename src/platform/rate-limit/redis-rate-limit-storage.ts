import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { CircuitBreaker } from '../../shared/circuit-breaker';
import type { InMemoryRateLimitStorage } from './in-memory-rate-limit-storage';

type Increment = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Milliseconds that a request waits for Redis at most. */
const timeoutMs = 100;

/**
 * Counts once, by the clock of Redis, which all replicas share: the count of the current window, and the milliseconds left of
 * it. One script, so that no other count comes in between; one key a caller, which goes with its window.
 */
const countOnce = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ttl = tonumber(ARGV[1])
local window = now - now % ttl
if redis.call('HGET', KEYS[1], 'window') ~= tostring(window) then
  redis.call('HSET', KEYS[1], 'window', tostring(window), 'hits', 0)
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return { redis.call('HINCRBY', KEYS[1], 'hits', 1), window + ttl - now }
`;

/**
 * Windows that all replicas share, in Redis. While it is away, and right after it has lost its memory, each process holds the
 * limit by what it has counted itself: no request fails for it, and none waits longer than 0.1 s.
 */
export class RedisRateLimitStorage implements ThrottlerStorage {
  readonly #redis: Redis & { countOnce?: (key: string, ttl: number) => Promise<[number, number]> };
  readonly #outage = new CircuitBreaker();
  #up = false;

  constructor(
    url: string,
    private readonly own: InMemoryRateLimitStorage,
    log: (message: string) => void,
  ) {
    this.#redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: timeoutMs,
      connectTimeout: 1000,
      retryStrategy: (times) => Math.min(100 * times, 2000),
      connectionName: 'signpost',
    });
    this.#redis.defineCommand('countOnce', { numberOfKeys: 1, lua: countOnce });
    let complained = false;
    this.#redis.on('error', (error: Error) => {
      if (!complained) log(`rate limits are counted in the process: ${error.message}`);
      complained = true;
    });
    this.#redis.on('ready', () => (complained = false));
    void this.#redis.connect().catch(() => {});
  }

  /** Whether the last count was shared. */
  get shared(): boolean {
    return this.#up;
  }

  /** Whether Redis can be counted on now; it is asked, and gets 0.1 s. */
  async answers(): Promise<boolean> {
    if (this.#redis.status !== 'ready') return false;
    return this.#redis.ping().then(
      () => true,
      () => false,
    );
  }

  /** `ttl` in milliseconds, and so are the times in the answer. */
  async increment(key: string, ttl: number, limit: number): Promise<Increment> {
    const own = await this.own.increment(key, ttl, limit);
    const shared = await this.#count(`signpost:rate:${ttl}:${key}`, ttl);
    if (!shared) return own;
    const [hits, timeToExpire] = shared;
    // Never less than what this process has seen itself: Redis may just have been flushed. Unless the clocks differ, and for one
    // of the two the next window has begun: a caller that came back in time would be turned away for the whole of it.
    const sameWindow = Math.abs(own.timeToExpire - timeToExpire) < ttl / 2;
    const totalHits = sameWindow ? Math.max(hits, own.totalHits) : hits;
    return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
  }

  async #count(key: string, ttl: number): Promise<[number, number] | null> {
    if (this.#redis.status !== 'ready' || !this.#outage.allowsRequest()) {
      this.#up = false;
      return null;
    }
    try {
      const counted = await this.#redis.countOnce!(key, ttl);
      this.#outage.recordSuccess();
      this.#up = true;
      return counted;
    } catch {
      this.#outage.recordFailure();
      this.#up = false;
      return null;
    }
  }

  close(): void {
    this.#redis.disconnect();
  }
}
