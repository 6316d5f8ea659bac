import { InMemoryRateLimitStorage } from '../../../src/platform/rate-limit/in-memory-rate-limit-storage';

const minute = 60_000;
const clock = { time: 0, now: (): number => clock.time };
let rateLimitStorage: InMemoryRateLimitStorage;
beforeEach(() => {
  clock.time = 0;
  rateLimitStorage = new InMemoryRateLimitStorage(clock);
});

const hit = (key = 'a', limit = 2) => rateLimitStorage.increment(key, minute, limit);

test.each([
  [0, minute],
  [1, minute - 1],
  [59_999, 1],
  [minute, minute],
  [1_780_000_012_345, 60_000 - (1_780_000_012_345 % 60_000)],
])('at %i ms a window has %i ms left', async (time, left) => {
  clock.time = time;
  expect(await hit()).toEqual({ totalHits: 1, timeToExpire: left, isBlocked: false, timeToBlockExpire: left });
});

test('counts each key separately, and blocks above the limit', async () => {
  expect((await hit('a')).totalHits).toBe(1);
  expect((await hit('b')).totalHits).toBe(1);
  expect(await hit('a')).toMatchObject({ totalHits: 2, isBlocked: false });
  expect(await hit('a')).toMatchObject({ totalHits: 3, isBlocked: true });
  expect(await hit('b')).toMatchObject({ totalHits: 2, isBlocked: false });
});

test('counts through a whole window, and from one again in the next and in later ones', async () => {
  for (const [time, totalHits] of [
    [5, 1],
    [10_000, 2],
    [59_999, 3],
    [minute, 1],
    [10 * minute + 5, 1],
  ] as const) {
    clock.time = time;
    const timeToExpire = minute - (time % minute);
    expect(await hit()).toMatchObject({ totalHits, isBlocked: totalHits > 2, timeToExpire });
  }
});

test('takes any text as a key', async () => {
  for (const key of ['', '__proto__', 'constructor', 'key:x', 'address:::1'])
    expect([(await hit(key)).totalHits, (await hit(key)).totalHits]).toEqual([1, 2]);
});

test('counts concurrent requests exactly', async () => {
  const hits = await Promise.all(Array.from({ length: 1000 }, () => hit()));
  expect(hits.map(({ totalHits }) => totalHits)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
});

test('evicts the least recently seen caller at its capacity', async () => {
  await hit('first');
  await hit('kept');
  for (let count = 0; count < 199_999; count++) {
    await hit(`key ${count}`);
    if (count % 10_000 === 0) await hit('kept');
  }
  expect((await hit('first')).totalHits).toBe(1);
  expect((await hit('kept')).totalHits).toBeGreaterThan(20);
});
