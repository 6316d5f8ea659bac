import { Client } from 'pg';
import { poolOptions } from '../../../src/platform/postgres/connection';
import { ResilientClient } from '../../../src/platform/postgres/resilient-client';
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
  // TypeORM writes pages into the text of a statement. A name for each would leave none for others.
  ['SELECT $1::int LIMIT 7', false],
  ['SELECT $1::int LIMIT 10', false],
  ['SELECT $1::int OFFSET 20', false],
  ['SELECT $1::int LIMIT 7 OFFSET 14', false],
  ['SELECT $1::int LIMIT 1', true],
  ['SELECT (SELECT $1::int LIMIT 7)', true],
  ['SELECT $1::int AS found', true],
])('the connection has a name for %s: %s', async (text, isNamed) => {
  const client = new ResilientClient(poolOptions(database.url, { max: 1, name: 'spec' }));
  await client.connect();
  await client.query(text, [1]);
  const { rows } = await client.query('SELECT statement FROM pg_prepared_statements');
  await client.end();
  expect(rows).toEqual(isNamed ? [{ statement: text }] : []);
});
