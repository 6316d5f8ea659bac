import { Client } from 'pg';
import { poolOptions } from '../../../src/platform/postgres/connection';
import { namesPage } from '../../../src/platform/postgres/resilient-client';
import { createDatabase, type TestDatabase } from '../../support/database';
import { useProductionTimeLimits } from '../../support/time-limits';

beforeAll(useProductionTimeLimits);

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase({ empty: true });
});
afterAll(() => database.drop());

test.each([
  // PostgreSQL compiles statements of statistics for seconds. Its server package decides whether it can, so this one may not.
  ['jit', 'off'],
  ['statement_timeout', expect.stringMatching(/^[1-9]/)],
  ['lock_timeout', expect.stringMatching(/^[1-9]/)],
  ['idle_in_transaction_session_timeout', '10s'],
  ['application_name', 'signpost spec'],
])('a connection has its own %s, whatever the server has', async (setting, expected) => {
  const client = new Client(poolOptions(database.url, { max: 1, name: 'spec' }));
  await client.connect();
  const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [setting]);
  await client.end();
  expect(rows).toEqual([{ value: expected as string }]);
});

test.each([
  ['SELECT $1::int LIMIT 7', true],
  ['SELECT $1::int LIMIT 10', true],
  ['SELECT $1::int OFFSET 20', true],
  ['SELECT $1::int LIMIT 7 OFFSET 14', true],
  ['SELECT $1::int LIMIT 1', false],
  ['SELECT (SELECT $1::int LIMIT 7)', false],
  ['SELECT $1::int AS found', false],
])('the statement %s has the numbers of a page: %s', (text, expected) => {
  expect(namesPage(text)).toBe(expected);
});
