import type { IncomingMessage } from 'node:http';
import { VisitorKeys } from '../../src/link-traffic/visitor-keys';

const request = (network: string, userAgent = 'Firefox') =>
  ({ network, headers: { 'user-agent': userAgent } }) as unknown as IncomingMessage;
const addresses = { networkOf: (sent: IncomingMessage) => (sent as unknown as { network: string }).network };

/** Builds keys on a database whose days begin with other keys, and whose answers can fail. */
function keysOf(answers: ({ key: string; remaining: number } | null | Error)[]) {
  const state = { now: 0, queries: 0, errors: 0 };
  const query = () => {
    state.queries++;
    const answer = answers.shift()!;
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve(answer && { key: Buffer.from(answer.key), remainingMs: answer.remaining });
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
    expect(hash()).not.toBe(first);
  },
);

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
