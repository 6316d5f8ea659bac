import { setTimeout as sleep } from 'node:timers/promises';
import { Tenant, TenantConnectionLimiter } from '../../../src/platform/postgres/tenant-connection-limiter';
import { DeadlineExceeded } from '../../../src/platform/postgres/database-error';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';

const longWaitMs = 60_000;
const answering = () => Promise.resolve(true);

/** Asks for a connection, and returns what has come of it. */
function use(shares: TenantConnectionLimiter, key: string, maxWaitMs = longWaitMs) {
  const tenant = new Tenant(key);
  const result = { tenant, admitted: false, refusal: null as Error | null };
  shares.acquire(tenant, maxWaitMs, (refusal) => {
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
])('of %i connections a tenant may use %i', (connections, share) => {
  expect(TenantConnectionLimiter.ofPool(connections, answering).share).toBe(share);
});

test('further uses wait in order, and no other tenant waits', () => {
  const shares = new TenantConnectionLimiter(2, answering);
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

test('the tenant is not blamed for a long wait if the database does not answer', async () => {
  const shares = new TenantConnectionLimiter(1, () => Promise.resolve(false));
  use(shares, 'one');
  const late = use(shares, 'one', 5);
  await sleep(50);
  expect(late.refusal).toBeInstanceOf(DeadlineExceeded);
  expect([shares.waiting, shares.refused]).toEqual([0, 0]);
});

test.each<[what: string, others: number, answers: boolean, isKnown: boolean, isRefused: boolean]>([
  ['a use of its tenant waits', 1, true, false, true],
  ['the queue of its tenant is full', 150, true, false, true],
  ['the database does not answer', 1, false, false, false],
  ['the database is known to answer', 1, false, true, true],
  ['its tenant uses no more than the share', 0, true, true, false],
])('a request that runs out of time is refused or not: %s', async (_, others, answers, isKnown, isRefused) => {
  const shares = new TenantConnectionLimiter(1, () => Promise.resolve(answers));
  const { tenant } = use(shares, 'one');
  const waiting = Array.from({ length: others }, () => use(shares, 'one'));
  use(shares, 'other');
  for (const { tenant: gone } of waiting) gone.gone = true;
  const before = shares.refused;
  shares.release('one');
  const refusal = await tenant.refusalOfTimeout(isKnown);
  expect(refusal).toEqual(isRefused ? new ConcurrencyLimited() : null);
  expect(shares.refused - before).toBe(Math.min(others, 100) + (isRefused ? 1 : 0));
});

test('a request that runs out of time is not refused for uses that waited before it', async () => {
  const shares = new TenantConnectionLimiter(1, answering);
  const before = [use(shares, 'one'), use(shares, 'one')];
  await sleep(5);
  const late = new Tenant('one');
  expect(await late.refusalOfTimeout(true)).toBeNull();
  for (const { tenant } of before) shares.release(tenant.key);
  shares.acquire(late, longWaitMs, () => {});
  expect(await late.refusalOfTimeout(true)).toBeNull();
});

test('a use that waits too long is refused, and leaves the queue', async () => {
  const shares = new TenantConnectionLimiter(1, answering);
  use(shares, 'one');
  const late = use(shares, 'one', 5);
  await sleep(50);
  const details = { reason: 'concurrency' };
  expect(late.refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1, details });
  expect([shares.waiting, shares.refused]).toEqual([0, 1]);
  shares.release('one');
  expect(use(shares, 'one').admitted).toBe(true);
});

test('a use of a client that has gone is passed over', () => {
  const shares = new TenantConnectionLimiter(1, answering);
  use(shares, 'one');
  const gone = use(shares, 'one');
  const next = use(shares, 'one');
  gone.tenant.gone = true;
  shares.release('one');
  expect([gone.admitted, next.admitted]).toEqual([false, true]);
  expect(shares.waiting).toBe(0);
  next.tenant.gone = true;
  shares.release('one');
  expect(use(shares, 'one').admitted).toBe(true);
});

test('the queue is bounded', () => {
  const shares = new TenantConnectionLimiter(1, answering);
  use(shares, 'one');
  const waiting = Array.from({ length: 100 }, () => use(shares, 'one'));
  expect(waiting.every(({ refusal }) => refusal === null)).toBe(true);
  expect(use(shares, 'one').refusal).toBeInstanceOf(ConcurrencyLimited);
  expect(use(shares, 'other').admitted).toBe(true);
  expect(shares.waiting).toBe(waiting.length);
  for (const { tenant } of waiting) shares.release(tenant.key);
});
