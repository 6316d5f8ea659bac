import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, type Logger, type MigrationInterface, type QueryRunner } from 'typeorm';
import { driverErrorOf } from './database-error';
import { poolOptions } from './connection';
import { type MigrationFile, migrationsFolder, readMigrationFiles } from './migration-files';

/** Any number that nobody else in this database takes an advisory lock on: the letters "sign" and "post". */
const advisoryLock = [0x7369676e, 0x706f7374];

/** Milliseconds between two tries to be the one that migrates. */
const turnInterval = 200;

/**
 * Brings the database to the newest version, and tells the names of the migrations that it ran. Any number of processes may
 * call it at once: an advisory lock lets one work while the others wait, then find nothing left to do.
 *
 * A migration waits at most a second for a lock that running traffic holds, so that traffic never queues behind it for long;
 * it is then tried again.
 */
export async function migrate(databaseUrl: string, folder = migrationsFolder): Promise<string[]> {
  const files = readMigrationFiles(folder);
  const guard = new Client({
    ...poolOptions(databaseUrl, { max: 1, name: 'migration lock' }),
    // It lies idle for as long as the migrations take.
    options: '-c idle_session_timeout=0',
  });
  guard.on('error', () => {});
  await guard.connect();
  try {
    await takeTurn(guard);
    return await runPending(databaseUrl, files);
  } finally {
    await guard.end();
  }
}

/**
 * Asks for the lock until it is free, and does not wait in line for it: a statement that waits holds a snapshot, CREATE INDEX
 * CONCURRENTLY waits for all older snapshots, and each would wait for the other for good.
 */
async function takeTurn(guard: Client): Promise<void> {
  for (;;) {
    const { rows } = await guard.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS mine', advisoryLock);
    if (rows[0]!.mine) return;
    await sleep(turnInterval * (0.5 + Math.random()));
  }
}

async function runPending(databaseUrl: string, files: MigrationFile[]): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    migrations: files.map(migrationClass),
    migrationsTableName: 'schema_migrations',
    installExtensions: false,
    logger: silent,
    extra: {
      ...poolOptions(databaseUrl, { max: 2, name: 'migrations' }),
      Client,
      // None, whatever the role or the database is set to. pg does not send a zero by itself.
      statement_timeout: undefined,
      options: '-c statement_timeout=0',
      lock_timeout: 1000,
    },
  });
  await dataSource.initialize();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const done = await dataSource.runMigrations({ transaction: 'each' });
        return done.map((migration) => migration.name);
      } catch (error) {
        const lockTimeout = (driverErrorOf(error) as { code?: string }).code === '55P03';
        if (!lockTimeout || attempt === 20) throw error;
        await sleep(500 * Math.random() + 500);
      }
    }
  } finally {
    await dataSource.destroy();
  }
}

/** TypeORM's own would report each try on standard output, which belongs to the programs' answers. */
const silent: Logger = {
  logQuery: () => {},
  logQueryError: () => {},
  logQuerySlow: () => {},
  logSchemaBuild: () => {},
  logMigration: () => {},
  log: () => {},
};

/**
 * A class for TypeORM's runner. There is no way down: a release that must be taken back leaves the newer schema in place, which
 * the older program can work with.
 */
function migrationClass({ name, inTransaction, statements }: MigrationFile): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;
    readonly transaction = inTransaction;

    async up(runner: QueryRunner): Promise<void> {
      // An index that is built concurrently waits for transactions that began before it, as long as they take, and nobody
      // waits behind it meanwhile. A timeout would only have it built anew.
      if (!inTransaction) await runner.query('SET lock_timeout = 0');
      for (const statement of statements) await runner.query(statement);
      if (!inTransaction) await runner.query('RESET lock_timeout');
    }

    async down(): Promise<void> {
      throw new Error('migrations are not taken back');
    }
  };
}
