import { poolOptions } from '../postgres/connection';
import { ResilientClient } from '../postgres/resilient-client';
import { missingMigrations } from './schema-state';
import { explainTlsFault } from './tls-fault';

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
