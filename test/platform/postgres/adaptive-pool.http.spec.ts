import { AdaptivePool } from '../../../src/platform/postgres/adaptive-pool';
import { DeadlineExceeded } from '../../../src/platform/postgres/database-error';
import { withDeadline } from '../../../src/platform/postgres/deadline';
import { databaseUrl } from '../../support/database';

let pool: AdaptivePool;
beforeEach(() => (pool = new AdaptivePool({ connectionString: databaseUrl('postgres'), max: 1 })));
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
    await pool.query('SELECT 1');
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

  it('has no limit outside requests', async () => {
    const held = await pool.connect();
    const waiting = pool.query('SELECT 4 AS answer');
    held.release();
    expect((await waiting).rows).toEqual([{ answer: 4 }]);
  });
});
