import type { IncomingMessage } from 'node:http';
import { setImmediate as immediate } from 'node:timers/promises';
import { VisitorKeys } from '../../../src/link-traffic/resolving/visitor-keys';

const request = (network: string, userAgent = 'Firefox') =>
  ({ network, headers: { 'user-agent': userAgent } }) as unknown as IncomingMessage;
const addresses = { networkOf: (sent: IncomingMessage) => (sent as unknown as { network: string }).network };

/** Builds keys on a database whose days begin with other keys, and whose answers can fail. */
function keysOf(answers: ({ key: string; remaining: number } | null | Error)[]) {
  const state = { now: 0, queries: 0, errors: 0 };
  const query = async () => {
    state.queries++;
    await immediate();
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer && { key: Buffer.from(answer.key), remainingMs: answer.remaining };
  };
  const keys = new VisitorKeys(query, addresses, { now: () => state.now }, () => state.errors++);
  return { state, keys, hash: (sent = request('192.0.2.1'), link = 'link') => keys.hashOf(link, sent).toString('hex') };
}

test('the key is read once, and again when the day is over', async () => {
  const { state, keys, hash } = keysOf([
    { key: 'one', remaining: 1000 },
    { key: 'two', remaining: 86_400_000 },
  ]);
  expect(keys.isCurrent).toBe(false);
  await Promise.all([keys.read(), keys.read()]);
  expect([keys.isCurrent, state.queries]).toEqual([true, 1]);
  const first = hash();
  state.now = 999;
  expect([keys.isCurrent, hash()]).toEqual([true, first]);
  state.now = 1000;
  expect(keys.isCurrent).toBe(false);
  await keys.read();
  expect([keys.isCurrent, state.queries, hash() === first]).toEqual([true, 2, false]);
});

test.each([[null], [new Error('no database')]])(
  'without an answer, the former key is used for a second: %s',
  async (answer) => {
    const { state, keys, hash } = keysOf([answer, { key: 'one', remaining: 1000 }]);
    const first = hash();
    await keys.read();
    expect([keys.isCurrent, hash(), state.errors]).toEqual([true, first, answer === null ? 0 : 1]);
    state.now = 1000;
    expect(keys.isCurrent).toBe(false);
    await keys.read();
    await immediate();
    expect(hash()).not.toBe(first);
  },
);

test('an outage delays the first visitors only, and its end is noticed', async () => {
  const { state, keys, hash } = keysOf([new Error('no database'), null, { key: 'one', remaining: 1000 }]);
  await keys.read();
  const first = hash();
  for (const now of [1000, 2000]) {
    state.now = now;
    await keys.read();
    expect([state.queries, hash()]).toEqual([1 + now / 1000, first]);
    await immediate();
  }
  expect([keys.isCurrent, hash() === first]).toEqual([true, false]);
});

test('a failed read counts from its end', async () => {
  const { state, keys } = keysOf([new Error('no database')]);
  const read = keys.read();
  state.now = 3000;
  await read;
  expect(keys.isCurrent).toBe(true);
});

test('the hash differs by link, network and user agent alone', async () => {
  const [one, other] = [keysOf([{ key: 'one', remaining: 1 }]), keysOf([{ key: 'one', remaining: 1 }])];
  await Promise.all([one.keys.read(), other.keys.read()]);
  const hash = one.hash();
  expect(other.hash()).toBe(hash);
  expect([
    one.hash(request('192.0.2.2')),
    one.hash(request('192.0.2.1', 'Chrome')),
    one.hash(request('192.0.2.1'), 'other'),
  ]).not.toContain(hash);
  expect(Buffer.from(hash, 'hex')).toHaveLength(32);
});
