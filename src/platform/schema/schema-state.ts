import { isUndefinedTable } from '../postgres/database-error';
import { migrationsFolder, readMigrationFiles } from './migration-files';

const required = readMigrationFiles(migrationsFolder).map(({ name }) => name);

/**
 * Returns the migrations of this release that have not run. The database may have run newer ones, because each release works
 * on the next schema too.
 * @throws Error if the query fails
 */
export async function missingMigrations(query: (sql: string) => Promise<{ name: string }[]>): Promise<string[]> {
  try {
    const rows = await query('SELECT name FROM schema_migrations');
    const done = new Set(rows.map(({ name }) => name));
    return required.filter((name) => !done.has(name));
  } catch (error) {
    if (isUndefinedTable(error)) return required;
    throw error;
  }
}
