import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { CircuitBreaker } from '../../shared/circuit-breaker';
import type { InMemoryRateLimitStorage } from './in-memory-rate-limit-storage';

type Increment = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The longest time that a request waits for Redis. */
const defaultTimeoutMs = 100;

/**
 * Counts one request and returns the hits in the current window and the milliseconds left of it. It reads the clock of Redis,
 * because all replicas share it. A script is atomic. Each caller has one key, which expires with its window.
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
 * Counts in Redis, so that all replicas share the windows. While Redis is down, and after it has lost its data, each process
 * enforces the limit on its own counts. No request fails because of Redis, and none waits longer than 0.1 s.
 */
export class RedisRateLimitStorage implements ThrottlerStorage {
  readonly #redis: Redis & { countOnce?: (key: string, ttl: number) => Promise<[number, number]> };
  readonly #circuitBreaker = new CircuitBreaker();
  #up = false;

  constructor(
    url: string,
    private readonly local: InMemoryRateLimitStorage,
    log: (message: string) => void,
    timeoutMs = defaultTimeoutMs,
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
    let warned = false;
    this.#redis.on('error', (error: Error) => {
      if (!warned) log(`rate limits are counted in the process: ${error.message}`);
      warned = true;
    });
    this.#redis.on('ready', () => (warned = false));
    void this.#redis.connect().catch(() => {});
  }

  /** Whether Redis answered the last count. */
  get shared(): boolean {
    return this.#up;
  }

  /** Pings Redis, which gets 0.1 s to answer. */
  async answers(): Promise<boolean> {
    if (this.#redis.status !== 'ready') return false;
    return this.#redis.ping().then(
      () => true,
      () => false,
    );
  }

  /** @param ttl milliseconds, like the times in the result */
  async increment(key: string, ttl: number, limit: number): Promise<Increment> {
    const local = await this.local.increment(key, ttl, limit);
    const shared = await this.#count(`signpost:rate:${ttl}:${key}`, ttl);
    if (!shared) return local;
    const [hits, timeToExpire] = shared;
    // The local count holds if it is larger, because Redis may just have been flushed. It is ignored if only one of the clocks has
    // begun the next window. Otherwise it would lock a caller out of the whole new window.
    const sameWindow = Math.abs(local.timeToExpire - timeToExpire) < ttl / 2;
    const totalHits = sameWindow ? Math.max(hits, local.totalHits) : hits;
    return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
  }

  async #count(key: string, ttl: number): Promise<[number, number] | null> {
    if (this.#redis.status !== 'ready' || !this.#circuitBreaker.allowsRequest()) {
      this.#up = false;
      return null;
    }
    try {
      const counted = await this.#redis.countOnce!(key, ttl);
      this.#circuitBreaker.recordSuccess();
      this.#up = true;
      return counted;
    } catch {
      this.#circuitBreaker.recordFailure();
      this.#up = false;
      return null;
    }
  }

  close(): void {
    this.#redis.disconnect();
  }
}
