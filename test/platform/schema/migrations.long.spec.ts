import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../../../src/platform/schema/migrations';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually, until } from '../../support/eventually';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createDatabase({ empty: true });
  folder = mkdtempSync(join(tmpdir(), 'signpost-migrations-'));
  aFile('0001-things', 'CREATE TABLE things (id int, name text); INSERT INTO things VALUES (1, NULL), (2, NULL);');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const aFile = (name: string, sql: string): void => writeFileSync(join(folder, `${name}.sql`), `${sql}\n`);

const run = (): Promise<string[]> => migrate(database.url, folder);

const index = (name: string, on: string, unique = ''): string => `-- no transaction
-- A word on what it is for; with a semicolon.
DROP INDEX CONCURRENTLY IF EXISTS ${name};
CREATE ${unique}INDEX CONCURRENTLY ${name} ON ${on};`;

interface Index {
  name: string;
  oid: number;
  valid: boolean;
}

const indexes = (): Promise<Index[]> =>
  database.query<Index>(
    `SELECT relname AS name, oid::int, indisvalid AS valid FROM pg_class JOIN pg_index ON indexrelid = oid
     WHERE indrelid = 'things'::regclass ORDER BY relname`,
  );

const recorded = async (): Promise<string[]> =>
  (await database.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id')).map(({ name }) => name);

/** Opens another session, as a program does. */
async function aSession(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

describe('a file marked with "no transaction"', () => {
  test('runs statement by statement, between transactional files', async () => {
    aFile('0002-index', `${index('things_by_id', 'things (id)')}\n${index('things_by_name', 'things (name)')}`);
    aFile('0003-after', "CREATE TABLE seen AS SELECT current_setting('lock_timeout') AS lock_timeout;");
    expect(await run()).toEqual(['things-0000000000001', 'index-0000000000002', 'after-0000000000003']);
    expect(await indexes()).toMatchObject([
      { name: 'things_by_id', valid: true },
      { name: 'things_by_name', valid: true },
    ]);
    // The file after it has the usual lock timeout.
    expect(await database.query('SELECT lock_timeout FROM seen')).toEqual([{ lock_timeout: '1s' }]);
    expect(await recorded()).toHaveLength(3);
    expect(await run()).toEqual([]);
  });

  test('may drop an index', async () => {
    aFile('0002-index', index('things_by_id', 'things (id)'));
    aFile('0003-gone', '-- no transaction\nDROP INDEX CONCURRENTLY IF EXISTS things_by_id;');
    await run();
    expect(await indexes()).toEqual([]);
  });

  test.each<[string, string, RegExp]>([
    ['nothing', '-- a comment', /has no statement/],
    ['a table', 'CREATE TABLE other (id int);', /cannot run twice outside a transaction: CREATE TABLE other/],
    ['a blocking build', 'DROP INDEX CONCURRENTLY IF EXISTS a; CREATE INDEX a ON things (id);', /cannot run twice/],
    ['an index without a name', 'CREATE INDEX CONCURRENTLY ON things (id);', /cannot run twice/],
    ['a drop that fails the second time', 'DROP INDEX CONCURRENTLY a;', /cannot run twice/],
    ['a build alone', 'CREATE INDEX CONCURRENTLY a ON things (id);', /DROP INDEX CONCURRENTLY IF EXISTS a before it/],
    [
      'a semicolon in a text',
      "DROP INDEX CONCURRENTLY IF EXISTS a; CREATE INDEX CONCURRENTLY a ON things (id) WHERE name = 'x;y';",
      /cannot run twice outside a transaction: y'/,
    ],
  ])('is refused with %s, and nothing runs', async (_, sql, message) => {
    aFile('0002-wrong', `-- no transaction\n${sql}`);
    await expect(run()).rejects.toThrow(message);
    await expect(run()).rejects.toThrow(/^migrations\/0002-wrong\.sql: /);
    expect(await database.query("SELECT to_regclass('things') AS found")).toEqual([{ found: null }]);
  });
});

describe('an index', () => {
  test('is built again after a failed build', async () => {
    await run();
    await database.query('INSERT INTO things VALUES (2)');
    aFile('0002-unique', index('things_by_id', 'things (id)', 'UNIQUE '));
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(run()).rejects.toThrow('could not create unique index');
      expect(await indexes()).toMatchObject([{ name: 'things_by_id', valid: false }]);
    }
    expect(await recorded()).toEqual(['things-0000000000001']);
    await database.query('DELETE FROM things WHERE id = 2');
    expect(await run()).toEqual(['unique-0000000000002']);
    expect(await indexes()).toMatchObject([{ name: 'things_by_id', valid: true }]);
    await expect(database.query('INSERT INTO things VALUES (1)')).rejects.toThrow('duplicate key');
  });

  test('waits for older transactions without a limit, and does not block writers', async () => {
    await run();
    aFile('0002-index', index('things_by_id', 'things (id)'));
    const old = await aSession();
    await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await old.query('SELECT FROM things');
    const migrating = run();
    let begun: Index | undefined;
    try {
      begun = await eventually(async () => (await indexes())[0] ?? false);
      // Longer than the lock timeout of other migrations.
      for (let second = 0; second < 3; second++) {
        await sleep(1000);
        await database.query("SET lock_timeout = '500ms'");
        await database.query('UPDATE things SET id = id + 10');
      }
      expect(await indexes()).toEqual([{ ...begun, valid: false }]);
    } finally {
      await old.query('COMMIT');
      await old.end();
    }
    expect(await migrating).toEqual(['index-0000000000002']);
    // No timeout restarted the build.
    expect(await indexes()).toEqual([{ ...begun, valid: true }]);
  });
});

test('five concurrent programs run each file once, inside and outside transactions', async () => {
  aFile('0002-index', index('things_by_id', 'things (id)'));
  aFile('0003-more', 'INSERT INTO things VALUES (3);');
  aFile('0004-index', index('things_by_name', 'things (name)'));
  const done = await Promise.all([1, 2, 3, 4, 5].map(run));
  expect(done.flat()).toEqual(await recorded());
  expect(await recorded()).toHaveLength(4);
  expect(await indexes()).toMatchObject([{ valid: true }, { valid: true }]);
  expect(await database.query('SELECT FROM things')).toHaveLength(3);
});

test('time limits of the database do not apply to migrations', async () => {
  const name = new URL(database.url).pathname.slice(1);
  for (const limit of ["statement_timeout = '100ms'", "lock_timeout = '100ms'", "idle_session_timeout = '300ms'"])
    await database.query(`ALTER DATABASE ${name} SET ${limit}`);
  aFile('0002-slow', 'SELECT pg_sleep(1);');
  expect(await Promise.all([run(), run()])).toEqual(
    expect.arrayContaining([[], ['things-0000000000001', 'slow-0000000000002']]),
  );
});

test('a migration waits for the end of one whose program lost its lock', async () => {
  const other = await aSession();
  await other.query("SET application_name = 'signpost migrations'");
  let isOver = false;
  const sleeping = other.query('SELECT pg_sleep(2)').then(() => (isOver = true));
  const active = "SELECT FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(2)'";
  await until(async () => (await database.query(active)).length > 0 || isOver);
  expect(await run()).toHaveLength(1);
  expect(isOver).toBe(true);
  await sleeping;
  // A pooler may keep an idle connection with that name.
  expect(await run()).toEqual([]);
  await other.end();
});

test('a database with another encoding is refused, and says what to do', async () => {
  const url = new URL(database.url);
  url.pathname += '_ascii';
  const name = url.pathname.slice(1);
  await database.query(
    `CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  try {
    await expect(migrate(url.href)).rejects.toThrow(
      'This database has the encoding SQL_ASCII. Create one with the encoding UTF8.',
    );
  } finally {
    await database.query(`DROP DATABASE "${name}"`);
  }
});

test('a database of an earlier development version is refused, and says what to do', async () => {
  // Each of these versions has the table.
  await database.query('CREATE TABLE link_paths ()');
  await expect(migrate(database.url)).rejects.toThrow(
    'This database is of an earlier development version. Export its links with that version (signpost export), ' +
      'create a database, and import them (signpost import).',
  );
  expect(await recorded()).toEqual([]);
});
