import type { AdminConnection } from './admin-connection';

/** Some megabytes, if each row has long URLs. */
const rowsPerFetch = 5000;

interface CopiedTable {
  rows: number;
  /** Rows of the region that were missing or different. */
  changed: number;
}

/**
 * Makes the replicated tables of a region equal to those of the primary at an exported snapshot, in one transaction of the region. So
 * visitors see the former state until all of it is replaced. Rows that are equal are not written, and the others notify caches.
 * @param within runs in the same transaction, after the tables
 */
export async function copyReplicatedTables(
  primary: AdminConnection,
  region: AdminConnection,
  snapshot: string,
  within: () => Promise<void>,
): Promise<Record<string, CopiedTable>> {
  await primary.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await primary.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
  await region.query('BEGIN');
  // As replication does: foreign keys and triggers for local changes do not apply.
  await region.query('SET LOCAL session_replication_role = replica');
  const [state] = await region.query<{ isNew: boolean }>('SELECT NOT EXISTS (SELECT FROM this_region) AS "isNew"');
  const copied: Record<string, CopiedTable> = {};
  // The region may have columns of a newer release, which get their defaults.
  for (const { table, columns } of await replicatedColumns(primary))
    copied[table] = await copyTable(primary, region, { table, columns, isNew: state!.isNew });
  // A row that was replaced looks like a deletion to its triggers.
  for (const purges of ['click_purges', 'clickhouse_purges'])
    await region.query(
      `DELETE FROM ${purges} USING projects WHERE projects.id = ${purges}.project_id AND projects.deleted_at IS NULL`,
    );
  await within();
  await region.query('COMMIT');
  await primary.query('COMMIT');
  return copied;
}

export async function replicatedTables(connection: AdminConnection): Promise<string[]> {
  const [row] = await connection.query<{ tables: string[] }>('SELECT replicated_tables() AS tables');
  return row!.tables;
}

interface Copy {
  table: string;
  columns: string[];
  /** Whether nothing reads the region yet. */
  isNew: boolean;
}

async function copyTable(
  primary: AdminConnection,
  region: AdminConnection,
  { table, columns, isNew }: Copy,
): Promise<CopiedTable> {
  const key = await keyOf(region, table);
  const [state] = await region.query<{ empty: boolean }>(`SELECT NOT EXISTS (SELECT FROM ${table}) AS empty`);
  if (state!.empty) {
    const load = () => streamRows(primary, region, { from: table, to: table, columns });
    // The removal of an index locks the table until all tables are copied.
    const rows = isNew ? await withoutIndexes(region, table, load) : await load();
    return { rows, changed: rows };
  }
  await region.query(
    `CREATE TEMPORARY TABLE copied (LIKE ${table} INCLUDING DEFAULTS INCLUDING GENERATED) ON COMMIT DROP`,
  );
  const rows = await streamRows(primary, region, { from: table, to: 'copied', columns });
  await region.query('ANALYZE copied');
  const same = key.map((column) => `copied.${column} = kept.${column}`).join(' AND ');
  const all = (alias: string) => `(${columns.map((column) => `${alias}.${column}`).join(', ')})`;
  // Deletion and insertion instead of an update, because two rows may have exchanged a unique value.
  const deleted = await countOf(
    region,
    `DELETE FROM ${table} AS kept WHERE NOT EXISTS (
       SELECT FROM copied WHERE ${same} AND ${all('copied')} IS NOT DISTINCT FROM ${all('kept')}
     ) RETURNING true`,
  );
  const inserted = await countOf(
    region,
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM copied
     WHERE NOT EXISTS (SELECT FROM ${table} AS kept WHERE ${same}) RETURNING true`,
  );
  await region.query('DROP TABLE copied');
  return { rows, changed: Math.max(deleted, inserted) };
}

/** Builds the indexes of an empty table after its rows, which is faster. Unique ones stay. */
async function withoutIndexes<T>(region: AdminConnection, table: string, load: () => Promise<T>): Promise<T> {
  const indexes = await region.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid = $1::regclass AND NOT indisunique`,
    [table],
  );
  for (const { name } of indexes) await region.query(`DROP INDEX ${name}`);
  const loaded = await load();
  for (const { definition } of indexes) await region.query(definition);
  return loaded;
}

interface Stream {
  from: string;
  to: string;
  columns: string[];
}

/**
 * Passes rows on as JSON, which has their columns by name. Returns the number of rows. The primary may be far away, so rows are
 * fetched while the ones before are inserted.
 */
async function streamRows(
  primary: AdminConnection,
  region: AdminConnection,
  { from, to, columns }: Stream,
): Promise<number> {
  const names = columns.join(', ');
  const fetch = `FETCH ${rowsPerFetch} FROM copied_${from}`;
  await primary.query(
    `DECLARE copied_${from} NO SCROLL CURSOR FOR SELECT row_to_json(copied_row)::text AS json FROM ${from} AS copied_row`,
  );
  let next = primary.query<{ json: string }>(fetch);
  for (let rows = 0; ;) {
    const fetched = await next;
    const isLast = fetched.length < rowsPerFetch;
    if (!isLast) {
      next = primary.query(fetch);
      next.catch(() => {}); // reported when it is awaited, unless the region fails first
    }
    if (fetched.length > 0)
      await region.query(
        `INSERT INTO ${to} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${from}, $1::json)`,
        [`[${fetched.map(({ json }) => json).join(',')}]`],
      );
    rows += fetched.length;
    if (isLast) return rows;
  }
}

async function countOf(connection: AdminConnection, statement: string): Promise<number> {
  const [row] = await connection.query<{ count: string }>(
    `WITH changed AS (${statement}) SELECT count(*) AS count FROM changed`,
  );
  return Number(row!.count);
}

/** Returns the tables in their order, each with its columns, in one round trip. */
function replicatedColumns(primary: AdminConnection): Promise<{ table: string; columns: string[] }[]> {
  return primary.query(
    `SELECT replicated.name AS table, array_agg(attname::text ORDER BY attnum) AS columns
     FROM unnest(replicated_tables()) WITH ORDINALITY AS replicated (name, number) JOIN pg_attribute
       ON attrelid = replicated.name::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY replicated.number, replicated.name ORDER BY replicated.number`,
  );
}

async function keyOf(connection: AdminConnection, table: string): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(
    `SELECT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
     WHERE indrelid = $1::regclass AND indisprimary`,
    [table],
  );
  return rows.map(({ name }) => name);
}
