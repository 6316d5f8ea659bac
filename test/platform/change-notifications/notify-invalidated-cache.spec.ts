import { NotifyInvalidatedCache } from '../../../src/platform/change-notifications/notify-invalidated-cache';
import { DatabaseUnavailable } from '../../../src/platform/postgres/database-error';
import { CircuitBreaker } from '../../../src/shared/circuit-breaker';

interface Thing {
  id: string;
  text: string;
}

const unavailable = new DatabaseUnavailable(new Error('down'));

/** Creates a cache over a map, with notifications from the test. */
function aCache(bytes = 1_000_000) {
  const clock = { ahead: 0, now: (): number => Date.now() + clock.ahead };
  const lost: ((epoch: number) => void)[] = [];
  const changeListener = {
    epoch: 1,
    isListening: true,
    notificationCount: 0,
    current: true,
    onLost: (listener: (epoch: number) => void) => void lost.push(listener),
    /** The connection broke, or everything changed. */
    endEpoch() {
      for (const listener of lost) listener(this.epoch);
      this.epoch++;
    },
  };
  const stored = new Map<string, Thing>();
  const asked: string[] = [];
  const world = { answer: async (key: string) => stored.get(key) ?? null };
  const cache = new NotifyInvalidatedCache<Thing>(
    changeListener,
    clock,
    (key) => {
      asked.push(key);
      return world.answer(key);
    },
    { bytes, sizeOf: ({ text }) => text.length, subjectsOf: ({ id }) => [id], circuitBreaker: new CircuitBreaker() },
  );
  const get = async (key: string) => cache.peek(key) ?? (await cache.find(key));
  const store = (key: string, id = key, text = 'text') => stored.set(key, { id, text });
  return { changeListener, asked, cache, clock, get, store, stored, world };
}

afterEach(() => jest.restoreAllMocks());

test('absence is not cached', async () => {
  const { asked, get, store } = aCache();
  expect(await get('a')).toBeNull();
  store('a');
  expect(await get('a')).toMatchObject({ id: 'a' });
  expect(asked).toEqual(['a', 'a']);
});

test('all keys of one subject are evicted', async () => {
  const { cache, get, store } = aCache();
  for (const key of ['a', 'b', 'c']) store(key, 'same');
  store('d', 'other');
  await Promise.all(['a', 'b', 'c', 'd'].map(get));
  cache.evictSubject('same');
  expect(['a', 'b', 'c', 'd'].map((key) => cache.peek(key)?.id)).toEqual([undefined, undefined, undefined, 'other']);
});

describe('a pending look-up', () => {
  /** Answers when the test releases it. */
  function slow({ world }: ReturnType<typeof aCache>) {
    const answers: ((thing: Thing | null) => void)[] = [];
    world.answer = () => new Promise((resolve) => answers.push(resolve));
    return answers;
  }

  test('is joined by later visitors', async () => {
    const on = aCache();
    const answers = slow(on);
    const all = Promise.all(Array.from({ length: 100 }, () => on.get('a')));
    expect(on.asked).toEqual(['a']);
    answers[0]!({ id: 'a', text: '' });
    expect((await all).every((thing) => thing?.id === 'a')).toBe(true);
  });

  test('is neither joined nor cached after a notification', async () => {
    const on = aCache();
    const answers = slow(on);
    const before = on.get('a');
    on.changeListener.notificationCount++;
    const after = on.get('a');
    expect(on.asked).toEqual(['a', 'a']);
    answers[1]!({ id: 'a', text: 'new' });
    expect(await after).toMatchObject({ text: 'new' });
    answers[0]!({ id: 'a', text: 'old' });
    expect(await before).toMatchObject({ text: 'old' });
    expect(on.cache.peek('a')).toMatchObject({ text: 'new' });
  });

  test('of an earlier epoch is not cached', async () => {
    const on = aCache();
    const answers = slow(on);
    const before = on.get('a');
    on.changeListener.endEpoch();
    answers[0]!({ id: 'a', text: 'old' });
    await before;
    expect(on.cache.peek('a')).toBeUndefined();
  });
});

describe('while notifications are not received', () => {
  test('every look-up goes to the database', async () => {
    const { changeListener, asked, get, store } = aCache();
    store('a', 'a', 'old');
    await get('a');
    changeListener.current = false;
    store('a', 'a', 'new');
    expect(await get('a')).toMatchObject({ text: 'new' });
    expect(await get('a')).toMatchObject({ text: 'new' });
    expect(asked).toHaveLength(3);
  });

  test('a removed value is not served', async () => {
    const { changeListener, get, store, stored, world } = aCache();
    store('a');
    await get('a');
    changeListener.current = false;
    stored.delete('a');
    expect(await get('a')).toBeNull();
    world.answer = () => Promise.reject(unavailable);
    await expect(get('a')).rejects.toBe(unavailable);
  });

  test('the last known answer is served during an outage, for an hour after it was valid', async () => {
    const on = aCache();
    on.store('a');
    await on.get('a');
    on.clock.ahead = 20 * 60_000;
    on.changeListener.endEpoch();
    on.changeListener.current = false;
    on.world.answer = () => Promise.reject(unavailable);
    expect(await on.get('a')).toMatchObject({ id: 'a' });
    await expect(on.get('b')).rejects.toBe(unavailable);
    on.clock.ahead = 79 * 60_000;
    expect(await on.get('a')).toMatchObject({ id: 'a' });
    on.clock.ahead = 81 * 60_000;
    await expect(on.get('a')).rejects.toBe(unavailable);
    expect(on.cache.counts.stale).toBe(2);
  });

  test('an answer from then is served for an hour after it was read', async () => {
    const on = aCache();
    on.changeListener.current = false;
    on.changeListener.isListening = false;
    for (const key of ['a', 'b']) on.store(key);
    await on.get('a');
    on.clock.ahead = 50 * 60_000;
    await on.get('b');
    on.world.answer = () => Promise.reject(unavailable);
    on.clock.ahead = 59 * 60_000;
    expect(await on.get('a')).toMatchObject({ id: 'a' });
    on.clock.ahead = 61 * 60_000;
    await expect(on.get('a')).rejects.toBe(unavailable);
    // It listens again, which says nothing of the time before.
    on.changeListener.endEpoch();
    on.changeListener.isListening = true;
    await expect(on.get('a')).rejects.toBe(unavailable);
    expect(await on.get('b')).toMatchObject({ id: 'b' });
    on.clock.ahead = 111 * 60_000;
    await expect(on.get('b')).rejects.toBe(unavailable);
  });

  test('the last known answer is served after a second if the database hangs, and then at once', async () => {
    const on = aCache();
    on.store('a');
    await on.get('a');
    on.changeListener.current = false;
    on.world.answer = () => new Promise(() => {});
    /** Returns whether answers come without a timer, however slow the machine is. */
    const isAtOnce = (answers: Promise<unknown>) =>
      Promise.race([answers.then(() => true), new Promise((resolve) => setTimeout(resolve, 0, false))]);
    // The pause between probes ends only where the test says so.
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const first = on.get('a');
    expect(await isAtOnce(first)).toBe(false);
    expect(await first).toMatchObject({ id: 'a' });
    const second = on.get('a');
    expect(await isAtOnce(second)).toBe(true);
    expect(await second).toMatchObject({ id: 'a' });
    expect(on.asked).toHaveLength(2);
    // From then on, one request at a time probes the database, and the others do not wait.
    now += 600;
    const probe = on.get('a');
    expect(await isAtOnce(Promise.all(Array.from({ length: 20 }, () => on.get('a'))))).toBe(true);
    expect(on.asked).toHaveLength(3);
    expect(await isAtOnce(probe)).toBe(false);
    await probe;
    on.world.answer = async () => ({ id: 'a', text: 'new' });
    now += 600;
    expect(await on.get('a')).toMatchObject({ text: 'new' });
    expect(await Promise.all([on.get('a'), on.get('a')])).toMatchObject([{ text: 'new' }, { text: 'new' }]);
  });

  test('older values are invalid once notifications are received again', async () => {
    const { changeListener, asked, get, store } = aCache();
    store('a');
    await get('a');
    changeListener.endEpoch();
    changeListener.current = false;
    await get('a');
    changeListener.endEpoch();
    changeListener.current = true;
    await get('a');
    await get('a');
    expect(asked).toHaveLength(3);
  });
});

test('the cache keeps to its capacity and evicts the least recently used value', async () => {
  const { cache, get, store } = aCache(100_000);
  for (let at = 0; at < 1000; at++) store(`key-${at}`, `id-${at}`, 'x'.repeat(1000));
  store('huge', 'huge', 'x'.repeat(200_000));
  await get('key-0');
  for (let at = 1; at < 1000; at++) {
    await get(`key-${at}`);
    cache.peek('key-0');
  }
  expect(await get('huge')).toMatchObject({ id: 'huge' });
  expect(cache.peek('huge')).toBeUndefined();
  expect(cache.size).toBeGreaterThan(50);
  expect(cache.size).toBeLessThan(100);
  expect(cache.peek('key-0')).toBeDefined();
  expect(cache.peek('key-1')).toBeUndefined();
  expect(cache.peek('key-999')).toBeDefined();
});
