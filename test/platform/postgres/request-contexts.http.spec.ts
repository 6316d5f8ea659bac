import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { AdaptivePool } from '../../../src/platform/postgres/adaptive-pool';
import { poolOptions } from '../../../src/platform/postgres/connection';
import { outsideRequests, withDeadline } from '../../../src/platform/postgres/deadline';
import { createDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let pool: AdaptivePool;
beforeAll(async () => {
  database = await createDatabase({ empty: true });
  pool = new AdaptivePool(poolOptions(database.url, { max: 1, name: 'test' }));
  // The deadlines below are not those of a new connection.
  await pool.query('SELECT 1');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a query that waited does not have the deadline of the previous request', async () => {
  await withDeadline(50, async () => {
    const client = await pool.connect();
    void sleep(100).then(() => client.release());
  });
  const { rows } = await pool.query('SELECT 1 AS one');
  expect(rows).toEqual([{ one: 1 }]);
});

test('a query that waited has its own deadline', async () => {
  const client = await pool.connect();
  void sleep(100).then(() => client.release());
  await expect(withDeadline(50, () => pool.query('SELECT 1'))).rejects.toThrow('ran out of time');
});

test('code outside requests has no deadline', async () => {
  const requests = new AsyncLocalStorage<string>();
  const seen = requests.run('a request', () => [requests.getStore(), outsideRequests(() => requests.getStore())]);
  expect(seen).toEqual(['a request', undefined]);
  await withDeadline(0, () => outsideRequests(() => pool.query('SELECT 1')));
});
