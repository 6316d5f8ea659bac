import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import type { Metrics } from '../observability/metrics';
import { CircuitBreaker } from '../../shared/circuit-breaker';
import type { InMemoryRateLimitStorage } from './in-memory-rate-limit-storage';

type Increment = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The longest time that a request waits for Redis. A connection may take ten times as long, because no request waits for it. */
const defaultTimeoutMs = 100;

/** A connection without a successful count for so long is replaced. */
const replacedAfterMs = 2000;

const probeTtlMs = 1000;

/** How often a process without requests checks Redis. */
const checkIntervalMs = 5000;

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

/** Tells that a server cannot count, because it became a replica or loads its data. Another one may answer at its address now. */
const cannotCount = ({ message }: Error): boolean => /\b(READONLY|MASTERDOWN|LOADING)\b/.test(message);

/**
 * Counts in Redis, so that all replicas share the windows. While Redis is down, and after it has lost its data, each process
 * enforces the limit on its own counts. No request fails because of Redis, and none waits longer than 0.1 s.
 */
export class RedisRateLimitStorage implements ThrottlerStorage {
  readonly #redis: Redis & { countOnce?: (key: string, ttl: number) => Promise<[number, number]> };
  readonly #circuitBreaker = new CircuitBreaker();
  readonly #checks: NodeJS.Timeout;
  #up: boolean | null = null;
  #failingSince: number | null = null;
  #warned = false;

  constructor(
    url: string,
    private readonly local: InMemoryRateLimitStorage,
    private readonly log: (message: string) => void,
    timeoutMs = defaultTimeoutMs,
  ) {
    this.#redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: timeoutMs,
      connectTimeout: 10 * timeoutMs,
      retryStrategy: (times) => Math.min(100 * times, 2000),
      reconnectOnError: cannotCount,
      connectionName: 'signpost',
    });
    this.#redis.defineCommand('countOnce', { numberOfKeys: 1, lua: countOnce });
    this.#redis.on('error', (error: Error) => this.#warn(error));
    void this.#redis
      .connect()
      .catch(() => {})
      .then(() => this.answers());
    this.#checks = setInterval(() => void this.answers(), checkIntervalMs).unref();
  }

  /** Whether Redis answered the last count or check; null before the first one. */
  get shared(): boolean | null {
    return this.#up;
  }

  /** Registers the state of Redis. Without Redis, a process has no such metric, because the alert would fire. */
  watchedBy(metrics: Metrics | null): void {
    metrics?.watch({ signpost_rate_limit_store_up: () => (this.#up === null ? [] : Number(this.#up)) });
  }

  /** Asks Redis to count, because a replica would answer a ping. It gets 0.1 s. */
  async answers(): Promise<boolean> {
    return (await this.#countNow('signpost:rate:probe', probeTtlMs)) !== null;
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
    // Only a connection that is ready is probed, because the circuit breaker waits for the outcome.
    if (this.#redis.status === 'ready' && !this.#circuitBreaker.allowsRequest()) {
      this.#up = false;
      return null;
    }
    return this.#countNow(key, ttl);
  }

  async #countNow(key: string, ttl: number): Promise<[number, number] | null> {
    if (this.#redis.status !== 'ready') {
      this.#up = false;
      return null;
    }
    try {
      const counted = await this.#redis.countOnce!(key, ttl);
      this.#recordSuccess();
      return counted;
    } catch (error) {
      this.#recordFailure(error as Error);
      return null;
    }
  }

  #recordSuccess(): void {
    this.#circuitBreaker.recordSuccess();
    this.#up = true;
    this.#failingSince = null;
    this.#warned = false;
  }

  #recordFailure(error: Error): void {
    this.#circuitBreaker.recordFailure();
    this.#up = false;
    const now = performance.now();
    this.#failingSince ??= now;
    if (now - this.#failingSince < replacedAfterMs) return;
    this.#warn(error);
    // A network that drops the packets of a connection does not close it.
    this.#redis.disconnect(true);
    this.#failingSince = now;
  }

  /** Logs the first failure since the last count in Redis. */
  #warn(error: Error): void {
    if (!this.#warned) this.log(`rate limits are counted in the process: ${error.message}`);
    this.#warned = true;
  }

  close(): void {
    clearInterval(this.#checks);
    this.#redis.disconnect();
  }
}
