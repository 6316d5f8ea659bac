import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, type Logger, type MigrationInterface, type QueryRunner } from 'typeorm';
import { driverErrorOf } from './database-error';
import { poolOptions } from './connection';

/** The same from `src/` and from `dist/`. */
const folder = join(__dirname, '..', '..', 'migrations');

/** Any number that nobody else in this database takes an advisory lock on: the letters "sign" and "post". */
const advisoryLock = [0x7369676e, 0x706f7374];

/**
 * Brings the database to the newest version, and tells the names of the migrations that it ran. Any number of processes may
 * call it at once: an advisory lock lets one work while the others wait, then find nothing left to do.
 *
 * A migration waits at most a second for a lock that running traffic holds, so that traffic never queues behind it for long;
 * it is then tried again.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const guard = new Client({
    ...poolOptions(databaseUrl, { max: 1, name: 'migration lock' }),
    statement_timeout: 0,
    lock_timeout: 0,
  });
  guard.on('error', () => {});
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1, $2)', advisoryLock);
    return await runPending(databaseUrl);
  } finally {
    await guard.end();
  }
}

async function runPending(databaseUrl: string): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    migrations: migrationClasses(),
    migrationsTableName: 'schema_migrations',
    installExtensions: false,
    logger: silent,
    extra: {
      ...poolOptions(databaseUrl, { max: 2, name: 'migrations' }),
      Client,
      statement_timeout: 0,
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
 * One class for TypeORM's runner a file of SQL, in the order of their numbers. There is no way down: a release that must be
 * taken back leaves the newer schema in place, which the older program can work with.
 */
function migrationClasses(): (new () => MigrationInterface)[] {
  return readdirSync(folder)
    .filter((file) => /^[0-9]{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8');
      return class implements MigrationInterface {
        // TypeORM orders migrations by the 13 digits that end the name.
        readonly name = `${file.slice(5, -4)}-${file.slice(0, 4).padStart(13, '0')}`;

        async up(runner: QueryRunner): Promise<void> {
          await runner.query(sql);
        }

        async down(): Promise<void> {
          throw new Error('migrations are not taken back');
        }
      };
    });
}
