import type { DataSource } from 'typeorm';
import { driverErrorOf, isUndefinedTable } from './database-error';
import { migrationsFolder, readMigrationFiles } from './migration-files';

/** What this program needs to have run. */
const needed = readMigrationFiles(migrationsFolder).map(({ name }) => name);

/**
 * The migrations that this program comes with and the database has not seen. It may have seen others: a program works on its
 * own schema and on the next one's.
 * @throws Error when the database cannot be asked
 */
export async function missingMigrations(dataSource: DataSource): Promise<string[]> {
  try {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migrations');
    const done = new Set(rows.map(({ name }) => name));
    return needed.filter((name) => !done.has(name));
  } catch (error) {
    if (isUndefinedTable(driverErrorOf(error))) return needed;
    throw error;
  }
}
