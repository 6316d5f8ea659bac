import { createRequire } from 'node:module';
import { Client } from 'pg';
import { poolOptions } from '../../../src/platform/postgres/connection';
import { namesPage, type ResilientClient } from '../../../src/platform/postgres/resilient-client';
import { createDatabase } from '../../support/database';
import { useProductionTimeLimits } from '../../support/time-limits';
import { fixture } from '../../support/fixtures';

beforeAll(useProductionTimeLimits);
const database = fixture(() => createDatabase({ empty: true }));

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

/** Loads the module again, because other specs of the worker have taken names. */
function freshResilientClient(): typeof ResilientClient {
  const load = createRequire(__filename);
  const path = load.resolve('../../../src/platform/postgres/resilient-client');
  const loaded = load.cache[path];
  delete load.cache[path];
  try {
    return (load(path) as { ResilientClient: typeof ResilientClient }).ResilientClient;
  } finally {
    load.cache[path] = loaded;
  }
}

test('updates, whose fields callers choose, leave names for other statements', async () => {
  const client = new (freshResilientClient())(poolOptions(database.url, { max: 1, name: 'spec' }));
  await client.connect();
  await client.query('CREATE TEMP TABLE chosen (field int)');
  for (let at = 0; at < 320; at++) await client.query(`UPDATE chosen SET field = ${at} WHERE field = $1`, [at]);
  await client.query('SELECT $1::int AS fixed', [1]);
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE statement LIKE 'UPDATE%')::int AS updates,
       count(*) FILTER (WHERE statement LIKE '%fixed')::int AS others FROM pg_prepared_statements`,
  );
  await client.end();
  expect(rows).toEqual([{ updates: expect.any(Number) as number, others: 1 }]);
  expect((rows[0] as { updates: number }).updates).toBeLessThanOrEqual(100);
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
