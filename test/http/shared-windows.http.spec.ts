/** @needs redis-server */
import { setTimeout as sleep } from 'node:timers/promises';
import { FixedWindows } from '../../src/platform/rate-limit/fixed-windows';
import { SharedWindows } from '../../src/platform/rate-limit/shared-windows';
import { eventually } from '../support/eventually';
import { RedisServer } from '../support/redis';

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.kill());

const ttl = 3000;
const limit = 60;

async function aProcess(clock: { now(): number }): Promise<SharedWindows> {
  const windows = new SharedWindows(redis.url, new FixedWindows(clock), () => {});
  await eventually(() => windows.answers());
  return windows;
}

/** By the clock of Redis, which is this machine's. */
const nextWindow = () => sleep(ttl - (Date.now() % ttl) + 5);

const useUp = async (windows: SharedWindows) => {
  for (let time = 0; time < limit; time++) await windows.increment('a', ttl, limit);
  expect(await windows.increment('a', ttl, limit)).toMatchObject({ totalHits: limit + 1, isBlocked: true });
};

test('a caller that comes back in the next window is answered, though by the clock of this process the last one goes on', async () => {
  const windows = await aProcess({ now: () => 1_000_000 * ttl - 20 });
  await nextWindow();
  await useUp(windows);
  await nextWindow();
  expect(await windows.increment('a', ttl, limit)).toMatchObject({ totalHits: 1, isBlocked: false });
  windows.close();
});

test('a caller that has used up a window stays so when Redis forgets', async () => {
  const windows = await aProcess(Date);
  await nextWindow();
  await useUp(windows);
  await redis.command('FLUSHALL');
  expect(await windows.increment('a', ttl, limit)).toMatchObject({ totalHits: limit + 2, isBlocked: true });
  windows.close();
});
