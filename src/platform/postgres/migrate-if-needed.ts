import { poolOptions } from './connection';
import { ResilientClient } from './resilient-client';
import { missingMigrations } from './schema-state';

/**
 * Runs pending migrations and returns their names. It loads TypeORM's runner only if a migration is pending, because most starts
 * have nothing to migrate.
 */
export async function migrateIfNeeded(databaseUrl: string): Promise<string[]> {
  if (!(await isMigrationPending(databaseUrl))) return [];
  const { migrate } = await import('./migrations.js');
  return migrate(databaseUrl);
}

async function isMigrationPending(databaseUrl: string): Promise<boolean> {
  const client = new ResilientClient(poolOptions(databaseUrl, { max: 1, name: 'start' }));
  try {
    await client.connect();
    const missing = await missingMigrations(async (sql) => (await client.query<{ name: string }>(sql)).rows);
    return missing.length > 0;
  } finally {
    await client.end().catch(() => {});
  }
}
