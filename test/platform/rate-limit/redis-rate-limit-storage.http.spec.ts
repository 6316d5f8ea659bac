/** @needs redis-server */
import { setTimeout as sleep } from 'node:timers/promises';
import { InMemoryRateLimitStorage } from '../../../src/platform/rate-limit/in-memory-rate-limit-storage';
import { RedisRateLimitStorage } from '../../../src/platform/rate-limit/redis-rate-limit-storage';
import { eventually } from '../../support/eventually';
import { RedisServer } from '../../support/redis';

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.kill());

const ttl = 3000;
const limit = 60;

async function aProcess(clock: { now(): number }): Promise<RedisRateLimitStorage> {
  // With production's timeout a busy machine would count in the process.
  const rateLimitStorage = new RedisRateLimitStorage(redis.url, new InMemoryRateLimitStorage(clock), () => {}, 5000);
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
