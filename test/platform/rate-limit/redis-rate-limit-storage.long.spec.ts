/** @needs redis-server */
import { setTimeout as sleep } from 'node:timers/promises';
import { InMemoryRateLimitStorage } from '../../../src/platform/rate-limit/in-memory-rate-limit-storage';
import { RedisRateLimitStorage } from '../../../src/platform/rate-limit/redis-rate-limit-storage';
import { DatabaseProxy } from '../../support/database-proxy';
import { eventually } from '../../support/eventually';
import { RedisServer } from '../../support/redis';
import { fixture } from '../../support/fixtures';

const redis = fixture(() => RedisServer.start());

const ttl = 20_000;
const limit = 60;

/** With production's time limit, a busy machine would count in the process. */
const generousMs = 60_000;

/** Starts to count at a URL. */
async function aProcess(
  clock: { now(): number },
  url = redis.url,
  log: (message: string) => void = () => {},
  timeoutMs = generousMs,
): Promise<RedisRateLimitStorage> {
  const rateLimitStorage = new RedisRateLimitStorage(url, new InMemoryRateLimitStorage(clock), log, timeoutMs);
  await eventually(() => rateLimitStorage.answers());
  return rateLimitStorage;
}

/**
 * Counts in the next window of Redis, whose clock is that of this machine. Returns null unless all of it happened in the first part of
 * the window. A machine that stands still may reach the second half, in which the window of a late clock counts as the same one.
 */
async function inNextWindow<T>(count: () => Promise<T>): Promise<T | null> {
  await sleep(ttl - (Date.now() % ttl) + 5);
  const window = Math.floor(Date.now() / ttl);
  const result = await count();
  return Date.now() < (window + 0.4) * ttl ? result : null;
}

/** Runs a round of a new process again until it returns answers, because `inNextWindow` may return null. */
const answersOf = (
  clock: { now(): number },
  round: (rateLimitStorage: RedisRateLimitStorage) => Promise<Increment[] | null>,
): Promise<Increment[]> =>
  eventually(async () => {
    const rateLimitStorage = await aProcess(clock);
    try {
      return (await round(rateLimitStorage)) ?? false;
    } finally {
      rateLimitStorage.close();
    }
  });

type Increment = Awaited<ReturnType<RedisRateLimitStorage['increment']>>;

const increment = (rateLimitStorage: RedisRateLimitStorage): Promise<Increment> =>
  rateLimitStorage.increment('a', ttl, limit);

/** Counts the limit and one more request, and returns the last answer. */
async function useUp(rateLimitStorage: RedisRateLimitStorage): Promise<Increment> {
  for (let time = 0; time < limit; time++) await increment(rateLimitStorage);
  return increment(rateLimitStorage);
}

const usedUp = { totalHits: limit + 1, isBlocked: true };

test('a caller is answered in the next window of Redis, even if the clock of the process is behind', async () => {
  const answers = await answersOf({ now: () => 1_000_000 * ttl - 20 }, async (rateLimitStorage) => {
    const last = await inNextWindow(() => useUp(rateLimitStorage));
    const next = await inNextWindow(() => increment(rateLimitStorage));
    return last && next && [last, next];
  });
  expect(answers).toMatchObject([usedUp, { totalHits: 1, isBlocked: false }]);
});

test('a caller over its limit remains refused after Redis loses its data', async () => {
  const answers = await answersOf(Date, (rateLimitStorage) =>
    inNextWindow(async () => {
      const last = await useUp(rateLimitStorage);
      await redis.command('FLUSHALL');
      return [last, await increment(rateLimitStorage)];
    }),
  );
  expect(answers).toMatchObject([usedUp, { totalHits: limit + 2, isBlocked: true }]);
});

test('a process knows without requests whether Redis counts', async () => {
  const quiet = await RedisServer.start();
  const rateLimitStorage = await aProcess(Date, quiet.url);
  try {
    await eventually(() => rateLimitStorage.shared === true);
    await quiet.kill();
    await eventually(() => rateLimitStorage.shared === false);
    await quiet.start();
    await eventually(() => rateLimitStorage.shared === true);
  } finally {
    rateLimitStorage.close();
    await quiet.kill();
  }
});

describe('behind a network', () => {
  let network: DatabaseProxy;
  let rateLimitStorage: RedisRateLimitStorage;
  let logged: string[];
  beforeEach(async () => {
    network = await DatabaseProxy.before(redis.url);
    logged = [];
    rateLimitStorage = await aProcess(Date, network.url, (message) => logged.push(message));
  });
  afterEach(async () => {
    rateLimitStorage.close();
    await network.close();
    await redis.command('REPLICAOF NO ONE');
  });

  /** Counts until the condition holds, as the requests of a service do. */
  const countUntil = (holds: () => boolean) =>
    eventually(async () => {
      await rateLimitStorage.increment('b', ttl, limit);
      return holds();
    });

  test('a process follows a failover, in which the former primary becomes a replica', async () => {
    const next = await RedisServer.start();
    try {
      await redis.command(`REPLICAOF 127.0.0.1 ${next.port}`);
      await countUntil(() => rateLimitStorage.shared === false);
      network.leadNewConnectionsTo(next.url);
      await countUntil(() => rateLimitStorage.shared === true);
      expect(await next.command(`EXISTS signpost:rate:${ttl}:b`)).toBe(':1\r\n');
    } finally {
      await next.kill();
    }
  });

  test('a process replaces a connection that the network has forgotten', async () => {
    rateLimitStorage.close();
    rateLimitStorage = await aProcess(Date, network.url, (message) => logged.push(message), 500);
    network.forgetConnections();
    await countUntil(() => logged.includes('rate limits are counted in the process: Command timed out'));
    await countUntil(() => rateLimitStorage.shared === true);
  });
});
