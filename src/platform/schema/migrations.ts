import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { isLockTimeout } from '../postgres/database-error';
import { poolOptions } from '../postgres/connection';
import { ResilientClient } from '../postgres/resilient-client';
import { SessionClient } from '../postgres/session-client';
import { type MigrationFile, migrationsFolder, readMigrationFiles } from './migration-files';
import { missingMigrations } from './schema-state';
import { explainTlsFault } from './tls-fault';

/** The letters "sign" and "post", because the key must be unique in the database. */
const advisoryLock = [0x7369676e, 0x706f7374];

const lockIntervalMs = 200;

/** Attempts at a migration that waits for a lock of a table. */
const maxAttempts = 20;

/** The name of connections that run migrations, by which other programs find them. */
const applicationName = 'migrations';

/**
 * Time limits are switched off, whatever the role or the database sets; pg does not send a zero. PostgreSQL looks every second if
 * the program is still there. Otherwise the statement of a killed program would go on, beside the next migration.
 */
const connectionOptions = '-c statement_timeout=0 -c idle_session_timeout=0 -c client_connection_check_interval=1000';

/** Runs pending migrations and returns their names. It takes no lock if none is pending, as at most starts. */
export async function migrateIfNeeded(databaseUrl: string): Promise<string[]> {
  return (await isMigrationPending(databaseUrl)) ? migrate(databaseUrl) : [];
}

async function isMigrationPending(databaseUrl: string): Promise<boolean> {
  const client = new ResilientClient(poolOptions(databaseUrl, { max: 1, name: 'start' }));
  try {
    // `openDatabase` has reached DATABASE_URL already.
    await client.connect().catch((error: unknown) => {
      throw explainTlsFault('DATABASE_DIRECT_URL', error);
    });
    const missing = await missingMigrations(async (sql) => (await client.query<{ name: string }>(sql)).rows);
    return missing.length > 0;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Runs all pending migrations and returns their names. Many processes may call it at once, because an advisory lock makes the
 * others wait.
 *
 * A migration waits at most a second for a table lock, so that traffic does not queue behind it. It is then retried.
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder): Promise<string[]> {
  const files = readMigrationFiles(folder);
  const guard = new SessionClient({
    ...poolOptions(databaseUrl, { max: 1, name: 'migration lock' }),
    options: '-c idle_session_timeout=0',
  });
  guard.on('error', () => {});
  await guard.connect();
  try {
    await poll(() => acquiresLock(guard));
    await poll(() => isAlone(guard));
    return await runPending(databaseUrl, files);
  } finally {
    await guard.end();
  }
}

async function poll(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(lockIntervalMs * (0.5 + Math.random()));
}

/**
 * Tries to take the lock, instead of waiting in a statement. Such a statement holds a snapshot, and CREATE INDEX CONCURRENTLY
 * waits for all older snapshots: a deadlock.
 */
async function acquiresLock(guard: Client): Promise<boolean> {
  const { rows } = await guard.query<{ acquired: boolean }>(
    'SELECT pg_try_advisory_lock($1, $2) AS acquired',
    advisoryLock,
  );
  return rows[0]!.acquired;
}

/** Returns whether no statement of another program runs. A program that is killed loses its lock before PostgreSQL ends its statement. */
async function isAlone(guard: Client): Promise<boolean> {
  const { rows } = await guard.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'signpost ${applicationName}' AND state <> 'idle'`,
  );
  return rows.length === 0;
}

const createTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  id serial CONSTRAINT "PK_62441bec32630ced9e4cccae336" PRIMARY KEY, timestamp bigint NOT NULL, name character varying NOT NULL
)`;

async function runPending(databaseUrl: string, files: MigrationFile[]): Promise<string[]> {
  const client = new SessionClient({
    ...poolOptions(databaseUrl, { max: 1, name: applicationName }),
    statement_timeout: undefined,
    options: connectionOptions,
    lock_timeout: 1000,
  });
  client.on('error', () => {}); // the statement that runs reports it
  await client.connect();
  try {
    await client.query(createTable);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    const known = new Set(rows.map(({ name }) => name));
    const pending = files.filter(({ name }) => !known.has(name));
    for (const file of pending) await run(client, file);
    return pending.map(({ name }) => name);
  } finally {
    await client.end().catch(() => {}); // the connection is lost
  }
}

/** Runs one file, and again while it does not get a lock. There is no way down, because the previous release works on the newer schema. */
async function run(client: Client, { name, number, inTransaction, statements }: MigrationFile): Promise<void> {
  // A concurrent index build waits for older transactions, and no statement waits behind it. A timeout would only restart the build.
  const [begin, end, giveUp] = inTransaction
    ? ['BEGIN', 'COMMIT', 'ROLLBACK']
    : ['SET lock_timeout = 0', 'RESET lock_timeout', 'RESET lock_timeout'];
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(begin);
      for (const statement of statements) await client.query(statement);
      await client.query('INSERT INTO schema_migrations (timestamp, name) VALUES ($1, $2)', [number, name]);
      await client.query(end);
      return;
    } catch (error) {
      await client.query(giveUp).catch(() => {}); // the connection is lost
      if (!isLockTimeout(error) || attempt === maxAttempts) throw error;
      await sleep(500 * Math.random() + 500);
    }
  }
}
