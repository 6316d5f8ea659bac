import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { endAllPrograms, Program } from '../../support/process';
import { Release } from '../../support/release';

/** A release whose last migration builds an index outside a transaction. */
let release: Release;
let database: TestDatabase;
/** A transaction for whose end concurrent index builds wait. */
let old: Client;

beforeAll(() => {
  const sql = `-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS tags_by_test;
CREATE INDEX CONCURRENTLY tags_by_test ON tags (name);
`;
  release = new Release((migrations) => writeFileSync(join(migrations, '9999-index.sql'), sql));
});
afterAll(() => release.remove());
beforeEach(async () => {
  database = await createDatabase({ empty: true });
  old = new Client({ connectionString: database.url });
  await old.connect();
  await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await old.query('SELECT');
});
afterEach(async () => {
  await old.end();
  await endAllPrograms();
  await database.drop();
});

const working = async (): Promise<string[]> =>
  (
    await database.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'signpost migrations' AND state <> 'idle'`,
    )
  ).map(({ query }) => query);

const isBuilding = async (): Promise<boolean> =>
  (await working()).some((query) => query.includes('INDEX CONCURRENTLY'));

const aMigration = (): Program => new Program('migrate', { DATABASE_URL: database.url }, { folder: release.programs });

async function aBlockedMigration(): Promise<Program> {
  const program = aMigration();
  await eventually(isBuilding);
  return program;
}

test('PostgreSQL ends the statement of a killed migration, and the next one does the rest', async () => {
  const killed = await aBlockedMigration();
  await killed.kill();
  await eventually(async () => (await working()).length === 0);
  const next = await aBlockedMigration();
  await old.query('COMMIT');
  expect(await next.exit).toEqual({ code: 0, signal: null });
  expect(next.stdout).toMatch(/^migrated /);
  expect(await database.query('SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the statement and the program with exit code 1', async (signal) => {
  const program = await aBlockedMigration();
  program.signal(signal);
  expect(await program.exit).toEqual({ code: 1, signal: null });
  expect(program.stderr).toBe(`The migration was stopped by ${signal}. Run it again.\n`);
  // PostgreSQL lists a backend for a moment after it has sent its last message.
  await eventually(async () => (await working()).length === 0);
});

test('a program that waits for the lock of another one ends with SIGTERM too', async () => {
  await aBlockedMigration();
  const waiting = aMigration();
  await eventually(async () => {
    const [row] = await database.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'signpost migration lock'",
    );
    return row!.count === '2';
  });
  waiting.signal('SIGTERM');
  expect(await waiting.exit).toEqual({ code: 1, signal: null });
  expect(await isBuilding()).toBe(true);
});
