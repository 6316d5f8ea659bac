/** @needs redis-server */
import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from '../../../src/platform/observability/metrics';
import { InMemoryRateLimitStorage } from '../../../src/platform/rate-limit/in-memory-rate-limit-storage';
import { RedisRateLimitStorage } from '../../../src/platform/rate-limit/redis-rate-limit-storage';
import { DatabaseProxy } from '../../support/database-proxy';
import { eventually } from '../../support/eventually';
import { RedisServer } from '../../support/redis';

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.kill());

/** A slow machine uses up the limit within one window. */
const ttl = 20_000;
const limit = 60;

/** Starts to count at a URL. With production's time limit, a busy machine would count in the process. */
async function aProcess(
  clock: { now(): number },
  url = redis.url,
  log: (message: string) => void = () => {},
  timeoutMs = 5000,
): Promise<RedisRateLimitStorage> {
  const rateLimitStorage = new RedisRateLimitStorage(url, new InMemoryRateLimitStorage(clock), log, timeoutMs);
  await eventually(() => rateLimitStorage.answers());
  return rateLimitStorage;
}

/** Uses the clock of Redis, which is that of this machine. */
const nextWindow = () => sleep(ttl - (Date.now() % ttl) + 5);

const useUp = async (rateLimitStorage: RedisRateLimitStorage) => {
  for (let time = 0; time < limit; time++) await rateLimitStorage.increment('a', ttl, limit);
  expect(await rateLimitStorage.increment('a', ttl, limit)).toMatchObject({ totalHits: limit + 1, isBlocked: true });
};

test('a caller is answered in the next window of Redis, even if the clock of the process is behind', async () => {
  const rateLimitStorage = await aProcess({ now: () => 1_000_000 * ttl - 20 });
  await nextWindow();
  await useUp(rateLimitStorage);
  await nextWindow();
  expect(await rateLimitStorage.increment('a', ttl, limit)).toMatchObject({ totalHits: 1, isBlocked: false });
  rateLimitStorage.close();
});

test('a caller over its limit remains refused after Redis loses its data', async () => {
  const rateLimitStorage = await aProcess(Date);
  await nextWindow();
  await useUp(rateLimitStorage);
  await redis.command('FLUSHALL');
  expect(await rateLimitStorage.increment('a', ttl, limit)).toMatchObject({ totalHits: limit + 2, isBlocked: true });
  rateLimitStorage.close();
});

describe('without requests', () => {
  let quiet: RedisServer;
  let rateLimitStorage: RedisRateLimitStorage;
  beforeEach(async () => {
    quiet = await RedisServer.start();
    rateLimitStorage = new RedisRateLimitStorage(quiet.url, new InMemoryRateLimitStorage(Date), () => {}, 5000);
  });
  afterEach(async () => {
    rateLimitStorage.close();
    await quiet.kill();
  });

  test('a process knows whether Redis counts', async () => {
    await eventually(() => rateLimitStorage.shared === true);
    await quiet.kill();
    await eventually(() => rateLimitStorage.shared === false);
    await quiet.start();
    await eventually(() => rateLimitStorage.shared === true);
  });

  test('the metric is absent until the first check', async () => {
    const metrics = new Metrics();
    metrics.watchRateLimits(rateLimitStorage);
    const valueOf = async (): Promise<string | undefined> =>
      /^signpost_rate_limit_store_up (.*)$/m.exec(await metrics.registry.metrics())?.[1];
    expect(await valueOf()).toBeUndefined();
    await eventually(async () => (await valueOf()) === '1');
    await quiet.kill();
    await eventually(async () => (await valueOf()) === '0');
  });
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

  test('a process whose Redis has become a replica is not connected to it, and says so once', async () => {
    await redis.command('REPLICAOF 127.0.0.1 1');
    await countUntil(() => logged.length > 0);
    expect(logged).toEqual([expect.stringMatching(/^rate limits are counted in the process: .*READONLY/)]);
    expect(await rateLimitStorage.answers()).toBe(false);
    await redis.command('REPLICAOF NO ONE');
    await countUntil(() => rateLimitStorage.shared === true);
    expect(await rateLimitStorage.answers()).toBe(true);
    expect(logged).toHaveLength(1);
  });

  test('a process replaces a connection that the network has forgotten', async () => {
    rateLimitStorage.close();
    rateLimitStorage = await aProcess(Date, network.url, (message) => logged.push(message), 500);
    network.forgetConnections();
    await countUntil(() => logged.includes('rate limits are counted in the process: Command timed out'));
    await countUntil(() => rateLimitStorage.shared === true);
  });
});
