import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionHolder, ConnectionShares } from '../../../src/platform/postgres/connection-shares';
import { DeadlineExceeded } from '../../../src/platform/postgres/database-error';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';

const longWaitMs = 60_000;
const answering = () => Promise.resolve(true);

/** Asks for a connection, and returns what has come of it. */
function use(shares: ConnectionShares, key: string, maxWaitMs = longWaitMs) {
  const holder = new ConnectionHolder(key);
  const result: { holder: ConnectionHolder; admitted: boolean; refusal: Error | null } = {
    holder,
    admitted: false,
    refusal: null,
  };
  shares.acquire(holder, maxWaitMs, (refusal) => {
    result.refusal = refusal;
    result.admitted = refusal === null;
  });
  return result;
}

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [10, 4],
  [100, 34],
])('of %i connections a holder may use %i', (connections, share) => {
  expect(ConnectionShares.ofPool(connections, answering).share).toBe(share);
});

test('further uses wait in order, and no other holder waits', () => {
  const shares = new ConnectionShares(2, answering);
  const uses = Array.from({ length: 4 }, () => use(shares, 'one'));
  expect(uses.map(({ admitted }) => admitted)).toEqual([true, true, false, false]);
  expect(shares.waiting).toBe(2);
  expect(use(shares, 'other').admitted).toBe(true);
  shares.release('one');
  expect(uses.map(({ admitted }) => admitted)).toEqual([true, true, true, false]);
  shares.release('one');
  expect(uses.map(({ admitted }) => admitted)).toEqual([true, true, true, true]);
  expect(shares.waiting).toBe(0);
});

test('the share is free again after every release', () => {
  const shares = new ConnectionShares(2, answering);
  for (let round = 0; round < 3; round++) {
    expect([use(shares, 'one'), use(shares, 'one')].every(({ admitted }) => admitted)).toBe(true);
    shares.release('one');
    shares.release('one');
  }
});

test('a use that waits too long is no fault of its holder if the database does not answer', async () => {
  const shares = new ConnectionShares(1, () => Promise.resolve(false));
  use(shares, 'one');
  const late = use(shares, 'one', 5);
  await sleep(50);
  expect(late.refusal).toBeInstanceOf(DeadlineExceeded);
  expect([shares.waiting, shares.refused]).toEqual([0, 0]);
});

test.each<[what: string, others: number, answers: boolean, isKnown: boolean, isRefused: boolean]>([
  ['a use of its holder waits', 1, true, false, true],
  ['the queue of its holder is full', 150, true, false, true],
  ['the database does not answer', 1, false, false, false],
  ['the database is known to answer', 1, false, true, true],
  ['its holder uses no more than the share', 0, true, true, false],
])('a request that runs out of time is refused or not: %s', async (_, others, answers, isKnown, isRefused) => {
  const shares = new ConnectionShares(1, () => Promise.resolve(answers));
  const { holder } = use(shares, 'one');
  const waiting = Array.from({ length: others }, () => use(shares, 'one'));
  use(shares, 'other');
  for (const { holder: gone } of waiting) gone.gone = true;
  const before = shares.refused;
  shares.release('one');
  const refusal = await holder.refusalOfTimeout(isKnown);
  expect(refusal).toEqual(isRefused ? new ConcurrencyLimited() : null);
  expect(shares.refused - before).toBe(Math.min(others, 100) + (isRefused ? 1 : 0));
});

test('a request that runs out of time is not refused for uses that waited before it', async () => {
  const shares = new ConnectionShares(1, answering);
  const before = [use(shares, 'one'), use(shares, 'one')];
  await sleep(5);
  const late = new ConnectionHolder('one');
  expect(await late.refusalOfTimeout(true)).toBeNull();
  for (const { holder } of before) shares.release(holder.key);
  shares.acquire(late, longWaitMs, () => {});
  expect(await late.refusalOfTimeout(true)).toBeNull();
});

test('a use that waits too long is refused, and leaves the queue', async () => {
  const shares = new ConnectionShares(1, answering);
  use(shares, 'one');
  const late = use(shares, 'one', 5);
  await sleep(50);
  expect(late.refusal).toBeInstanceOf(ConcurrencyLimited);
  expect(late.refusal).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
    details: { reason: 'concurrency' },
  });
  expect([shares.waiting, shares.refused]).toEqual([0, 1]);
  shares.release('one');
  expect(use(shares, 'one').admitted).toBe(true);
});

test('a use of a client that has gone is passed over', () => {
  const shares = new ConnectionShares(1, answering);
  use(shares, 'one');
  const gone = use(shares, 'one');
  const next = use(shares, 'one');
  gone.holder.gone = true;
  shares.release('one');
  expect([gone.admitted, next.admitted]).toEqual([false, true]);
  expect(shares.waiting).toBe(0);
  next.holder.gone = true;
  shares.release('one');
  expect(use(shares, 'one').admitted).toBe(true);
});

test('the queue is bounded', () => {
  const shares = new ConnectionShares(1, answering);
  use(shares, 'one');
  const waiting = Array.from({ length: 100 }, () => use(shares, 'one'));
  expect(waiting.every(({ refusal }) => refusal === null)).toBe(true);
  expect(use(shares, 'one').refusal).toBeInstanceOf(ConcurrencyLimited);
  expect(use(shares, 'other').admitted).toBe(true);
  expect(shares.waiting).toBe(waiting.length);
  for (const { holder } of waiting) shares.release(holder.key);
});
