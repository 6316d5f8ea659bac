import { AdaptivePool } from '../../../src/platform/postgres/adaptive-pool';
import { DeadlineExceeded } from '../../../src/platform/postgres/database-error';
import { withDeadline, outsideRequests } from '../../../src/platform/postgres/request-context';
import { databaseUrl } from '../../support/database';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { poolOptions } from '../../../src/platform/postgres/connection';

let pool: AdaptivePool;
beforeEach(async () => {
  pool = new AdaptivePool(poolOptions(databaseUrl('postgres'), { max: 1, name: 'test' }));
  // The deadlines below are not those of a new connection.
  await pool.query('SELECT 1');
});
afterEach(() => pool.end());

describe('a wait for a connection', () => {
  it('ends at the deadline of its request, and the connection serves others afterwards', async () => {
    const held = await pool.connect();
    await expect(withDeadline(50, () => pool.query('SELECT 1'))).rejects.toThrow(DeadlineExceeded);
    const waiting = pool.query('SELECT 2 AS answer');
    held.release();
    expect((await waiting).rows).toEqual([{ answer: 2 }]);
    expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0]);
  });

  it('ends at the deadline if another request takes the idle connection first', async () => {
    const first = pool.connect();
    await expect(withDeadline(50, () => pool.query('SELECT 2'))).rejects.toThrow(DeadlineExceeded);
    (await first).release();
  });

  it('succeeds if a connection comes before the deadline', async () => {
    const held = await pool.connect();
    const waiting = withDeadline(60_000, () => pool.query('SELECT 3 AS answer'));
    held.release();
    expect((await waiting).rows).toEqual([{ answer: 3 }]);
  });
});

test('a query that waited does not have the deadline of the previous request', async () => {
  await withDeadline(50, async () => {
    const client = await pool.connect();
    void sleep(100).then(() => client.release());
  });
  const { rows } = await pool.query('SELECT 1 AS one');
  expect(rows).toEqual([{ one: 1 }]);
});

test('code outside requests has no deadline', async () => {
  const requests = new AsyncLocalStorage<string>();
  const seen = requests.run('a request', () => [requests.getStore(), outsideRequests(() => requests.getStore())]);
  expect(seen).toEqual(['a request', undefined]);
  await withDeadline(0, () => outsideRequests(() => pool.query('SELECT 1')));
});
