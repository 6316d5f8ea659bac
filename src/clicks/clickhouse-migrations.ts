import type { ClickHouse } from '../platform/clickhouse/clickhouse';
import {
  clickHouseMigrations,
  type ClickTable,
  clickTables,
  engineOf,
  expiryOf,
  onCluster,
  storedTable,
} from './clickhouse-schema';

/**
 * Runs the migrations that ClickHouse lacks, applies the retention, and returns the names of the migrations. Any number of processes
 * may call it at once.
 */
export async function migrateClickHouse(clickHouse: ClickHouse, retentionMonths: number): Promise<string[]> {
  const { cluster } = clickHouse;
  await clickHouse.command(
    `CREATE TABLE IF NOT EXISTS schema_migrations${onCluster(cluster)} (name String, applied_at DateTime DEFAULT now())
ENGINE = ${engineOf('MergeTree', cluster)} ORDER BY name`,
  );
  const rows = await clickHouse.rows<{ name: string }>('SELECT name FROM schema_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  const missing = clickHouseMigrations({ cluster, retentionMonths }).filter(({ name }) => !applied.has(name));
  for (const { name, statements } of missing) {
    for (const statement of statements) await clickHouse.command(statement);
    await clickHouse.command(`INSERT INTO schema_migrations (name) VALUES ('${name}')`);
  }
  await applyRetention(clickHouse, retentionMonths);
  return missing.map(({ name }) => name);
}

/** Changes the TTL of the tables if the configured retention is another one. */
async function applyRetention(clickHouse: ClickHouse, retentionMonths: number): Promise<void> {
  const { cluster } = clickHouse;
  const rows = await clickHouse.rows<{ name: string; definition: string }>(
    'SELECT name, create_table_query AS definition FROM system.tables WHERE database = currentDatabase()',
  );
  const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
  for (const table of Object.keys(clickTables) as ClickTable[]) {
    const stored = storedTable(table, cluster);
    if (definitions.get(stored)?.includes(`toIntervalMonth(${retentionMonths + 1})`) !== false) continue;
    await clickHouse.command(
      `ALTER TABLE ${stored}${onCluster(cluster)} MODIFY TTL ${expiryOf(table, retentionMonths)}`,
    );
  }
}
