import { type ClickHouse, ClickHouseUnavailable, isMissingTable } from '../../platform/clickhouse/clickhouse';
import { clickHouseMigrations, type ClickTable, clickTables, expiryOf, namesOfTables } from './clickhouse-schema';

/** The names do not depend on the retention. */
const known = new Set(clickHouseMigrations(0).map(({ name }) => name));

/**
 * Runs the migrations that ClickHouse lacks, applies the retention, and returns the names of the migrations. Any number of processes
 * may call it at once.
 * @throws ClickHouseUnavailable if another version made the database, whose sums would be incomplete
 */
export async function migrateClickHouse(clickHouse: ClickHouse, retentionMonths: number): Promise<string[]> {
  const applied = await appliedMigrations(clickHouse);
  const missing = clickHouseMigrations(retentionMonths).filter(({ name }) => !applied.has(name));
  if (missing.length > 0)
    await clickHouse.command(
      `CREATE TABLE IF NOT EXISTS schema_migrations (name String, applied_at DateTime DEFAULT now())
ENGINE = MergeTree ORDER BY name`,
    );
  for (const { name, statements } of missing) {
    for (const statement of statements) await clickHouse.command(statement);
    await clickHouse.command(`INSERT INTO schema_migrations (name) VALUES ('${name}')`);
  }
  await applyRetention(clickHouse, retentionMonths);
  return missing.map(({ name }) => name);
}

/**
 * Refuses a database that has only some of the tables and views, because another program creates them now. A click that is stored
 * before its views are there is in no sum.
 * @throws ClickHouseUnavailable with the names, or if another version made the database
 */
export async function requireClickTables(clickHouse: ClickHouse): Promise<void> {
  await appliedMigrations(clickHouse);
  const rows = await clickHouse.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  const present = new Set(rows.map(({ name }) => name));
  const missing = namesOfTables.filter((name) => !present.has(name));
  if (missing.length > 0)
    throw new ClickHouseUnavailable(new Error(`the database lacks ${missing.join(', ')}. Run the program migrate.`));
}

/** @throws ClickHouseUnavailable if another version made the database, whose sums would be incomplete */
async function appliedMigrations(clickHouse: ClickHouse): Promise<Set<string>> {
  const applied = await storedMigrations(clickHouse);
  const others = applied.filter((name) => !known.has(name));
  if (others.length > 0)
    throw new ClickHouseUnavailable(
      new Error(
        `another version made the database (${others.join(', ')}). Use an empty one, and fill its table clicks from that of the old one.`,
      ),
    );
  return new Set(applied);
}

async function storedMigrations(clickHouse: ClickHouse): Promise<string[]> {
  try {
    const rows = await clickHouse.rows<{ name: string }>('SELECT name FROM schema_migrations');
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** Changes the TTL of the tables if the configured retention is another one. */
async function applyRetention(clickHouse: ClickHouse, retentionMonths: number): Promise<void> {
  const rows = await clickHouse.rows<{ name: string; definition: string }>(
    'SELECT name, create_table_query AS definition FROM system.tables WHERE database = currentDatabase()',
  );
  const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
  for (const table of Object.keys(clickTables) as ClickTable[])
    if (definitions.get(table)?.includes(`toIntervalMonth(${retentionMonths + 1})`) === false)
      await clickHouse.command(`ALTER TABLE ${table} MODIFY TTL ${expiryOf(table, retentionMonths)}`);
}
