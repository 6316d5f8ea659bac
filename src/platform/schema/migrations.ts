import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { DataSource, type Logger, type MigrationInterface, type QueryRunner } from 'typeorm';
import { isLockTimeout } from '../postgres/database-error';
import { poolOptions } from '../postgres/connection';
import { SessionClient } from '../postgres/session-client';
import { type MigrationFile, migrationsFolder, readMigrationFiles } from './migration-files';

/** The letters "sign" and "post", because the key must be unique in the database. */
const advisoryLock = [0x7369676e, 0x706f7374];

const lockIntervalMs = 200;

/** The name of connections that run migrations, by which other programs find them. */
const applicationName = 'migrations';

/**
 * Time limits are switched off, whatever the role or the database sets; pg does not send a zero. PostgreSQL looks every second if
 * the program is still there. Otherwise the statement of a killed program would go on, beside the next migration.
 */
const connectionOptions = '-c statement_timeout=0 -c idle_session_timeout=0 -c client_connection_check_interval=1000';

/**
 * Runs all pending migrations and returns their names. Many processes may call it at once, because an advisory lock makes the
 * others wait.
 *
 * A migration waits at most a second for a table lock, so that traffic does not queue behind it. It is then retried.
 * @param stop ends the running statement; the migration fails with its reason
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder, stop?: AbortSignal): Promise<string[]> {
  const files = readMigrationFiles(folder);
  const guard = new SessionClient({
    ...poolOptions(databaseUrl, { max: 1, name: 'migration lock' }),
    options: '-c idle_session_timeout=0',
  });
  guard.on('error', () => {});
  await guard.connect();
  try {
    await poll(() => acquiresLock(guard), stop);
    await poll(() => isAlone(guard), stop);
    return await whileNotStopped(runPending(databaseUrl, files), guard, stop);
  } finally {
    await guard.end();
  }
}

async function poll(holds: () => Promise<boolean>, stop: AbortSignal | undefined): Promise<void> {
  for (;;) {
    stop?.throwIfAborted();
    if (await holds()) return;
    await sleep(lockIntervalMs * (0.5 + Math.random()));
  }
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

const ofMigrations = `FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'signpost ${applicationName}' AND state <> 'idle'`;

/** Returns whether no statement of another program runs. A program that is killed loses its lock before PostgreSQL ends its statement. */
async function isAlone(guard: Client): Promise<boolean> {
  const { rows } = await guard.query(`SELECT ${ofMigrations}`);
  return rows.length === 0;
}

/**
 * Waits for the work. A stop ends the connections that work, again and again, because a cancelled statement could be followed by
 * another one.
 */
async function whileNotStopped<T>(work: Promise<T>, guard: Client, stop: AbortSignal | undefined): Promise<T> {
  let isOver = false;
  const end = async (): Promise<void> => {
    for (; !isOver; await sleep(lockIntervalMs)) await guard.query(`SELECT pg_terminate_backend(pid) ${ofMigrations}`);
  };
  const onStop = (): void => void end().catch(() => {});
  stop?.addEventListener('abort', onStop);
  if (stop?.aborted) onStop();
  try {
    return await work;
  } catch (error) {
    stop?.throwIfAborted();
    throw error;
  } finally {
    isOver = true;
    stop?.removeEventListener('abort', onStop);
  }
}

async function runPending(databaseUrl: string, files: MigrationFile[]): Promise<string[]> {
  const done: string[] = [];
  const dataSource = new DataSource({
    type: 'postgres',
    migrations: files.map((file) => migrationClass(file, done)),
    migrationsTableName: 'schema_migrations',
    installExtensions: false,
    logger: silent,
    extra: {
      ...poolOptions(databaseUrl, { max: 2, name: applicationName }),
      Client: SessionClient,
      statement_timeout: undefined,
      options: connectionOptions,
      lock_timeout: 1000,
    },
  });
  await dataSource.initialize();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await dataSource.runMigrations({ transaction: 'each' });
        return done;
      } catch (error) {
        if (!isLockTimeout(error) || attempt === 20) throw error;
        await sleep(500 * Math.random() + 500);
      }
    }
  } finally {
    await dataSource.destroy();
  }
}

const silent: Logger = {
  logQuery: () => {},
  logQueryError: () => {},
  logQuerySlow: () => {},
  logSchemaBuild: () => {},
  logMigration: () => {},
  log: () => {},
};

/**
 * Creates a class for TypeORM's runner, which adds its name to `done`. It has no way down, because the previous release works on
 * the newer schema.
 */
function migrationClass(
  { name, inTransaction, statements }: MigrationFile,
  done: string[],
): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;
    readonly transaction = inTransaction;

    async up(runner: QueryRunner): Promise<void> {
      // A concurrent index build waits for older transactions, and no statement waits behind it. A timeout would only restart
      // the build.
      if (!inTransaction) await runner.query('SET lock_timeout = 0');
      for (const statement of statements) await runner.query(statement);
      if (!inTransaction) await runner.query('RESET lock_timeout');
      done.push(name);
    }

    async down(): Promise<void> {
      throw new Error('Migrations cannot be reverted.');
    }
  };
}
