import { rmSync } from 'node:fs';
import pg from 'pg';

const tables = ['dynamic_links', 'link_paths'];

/** The cases of an operator. Their time grows with the links, so that figures are per million links. */
export function maintenance() {
  const once = (work) => ({
    rounds: 1,
    measure: async (side) => {
      const before = side.cpuOfDatabase();
      const startedAt = performance.now();
      await work(side);
      const seconds = (performance.now() - startedAt) / 1000;
      const millions = side.links / 1e6;
      return {
        's in all': seconds,
        's per million': seconds / millions,
        's CPU per million': (side.cpuOfDatabase() - before) / 1e6 / millions,
      };
    },
  });
  return {
    'vacuum after changes of 1 % of the links': { ...once(vacuum), prepare: change },
    'dump of links and paths': once(dump),
    'restore of links and paths': { ...once(restore), prepare: prepareRestore, finish: finishRestore },
    'base backup': once(baseBackup),
    'migration that builds an index': once(buildIndex),
    'migration that adds a column': once(addColumn),
  };
}

/** Changes links everywhere, without triggers, because the service runs. */
async function change({ sql, links }) {
  await sql('SET session_replication_role = replica');
  await sql(
    `UPDATE dynamic_links SET updated_at = now() WHERE id IN (
       SELECT id FROM dynamic_links TABLESAMPLE SYSTEM (${links < 1e6 ? 10 : 1}))`,
  );
  await sql('SET session_replication_role = origin');
}

async function vacuum({ sql }) {
  await sql('VACUUM (INDEX_CLEANUP ON) dynamic_links');
}

/** Reads the rows as pg_dump does. */
async function dump({ sql }) {
  for (const table of tables) await sql(`COPY ${table} TO '/dev/null'`);
}

const fileOf = async ({ sql }, table) => `${(await sql('SHOW data_directory'))[0].data_directory}/bench-${table}.copy`;

async function prepareRestore(side) {
  await side.sql('DROP SCHEMA IF EXISTS bench_restored CASCADE');
  await side.sql('CREATE SCHEMA bench_restored');
  for (const table of tables) {
    await side.sql(`COPY ${table} TO '${await fileOf(side, table)}'`);
    await side.sql(`CREATE TABLE bench_restored.${table} (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES)`);
  }
  await side.sql('CHECKPOINT');
}

/** Loads the rows and builds the indexes and references, one after another as pg_restore does. */
async function restore(side) {
  const { sql } = side;
  for (const table of tables) await sql(`COPY bench_restored.${table} FROM '${await fileOf(side, table)}'`);
  const indexes = await sql(
    "SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY ($1)",
    [tables],
  );
  for (const { definition } of indexes) await sql(definition.replace(' ON public.', ' ON bench_restored.'));
  const references = await sql(
    `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY ($1)`,
    [tables],
  );
  await sql('SET search_path = bench_restored, public');
  for (const { table, definition } of references) await sql(`ALTER TABLE ${table} ADD ${definition}`);
  await sql('RESET search_path');
}

async function finishRestore(side) {
  await side.sql('DROP SCHEMA bench_restored CASCADE');
  for (const table of tables) rmSync(await fileOf(side, table));
}

/** Reads all files as pg_basebackup does. */
async function baseBackup({ url }) {
  const client = new pg.Client({ connectionString: url, replication: 'true' });
  await client.connect();
  try {
    await client.query("BASE_BACKUP (TARGET 'blackhole', CHECKPOINT 'fast', WAIT false, MANIFEST 'no')");
  } finally {
    await client.end();
  }
}

async function buildIndex({ sql }) {
  await sql('CREATE INDEX CONCURRENTLY bench_index ON dynamic_links (project_id, updated_at, id) INCLUDE (archived)');
  await sql('DROP INDEX bench_index');
}

async function addColumn({ sql }) {
  await sql("ALTER TABLE dynamic_links ADD COLUMN bench_column text NOT NULL DEFAULT ''");
  await sql('ALTER TABLE dynamic_links DROP COLUMN bench_column');
}

/** Prints the size of the tables and of each index, and how often the index was used. */
export async function relationSizes({ sql, links }) {
  const rows = await sql(
    `SELECT relname AS name, pg_relation_size(oid)::float8 AS bytes, NULL AS uses FROM pg_class
     WHERE relname IN ('dynamic_links', 'link_paths')
     UNION ALL
     SELECT indexrelname, pg_relation_size(indexrelid)::float8, idx_scan FROM pg_stat_user_indexes
     WHERE relname IN ('dynamic_links', 'link_paths') ORDER BY bytes DESC`,
  );
  const [{ bytes }] = await sql('SELECT pg_database_size(current_database())::float8 AS bytes');
  console.log(
    `${links.toLocaleString('en')} links: ${(bytes / 1e9).toFixed(2)} GB, ${(bytes / links).toFixed(0)} bytes per link`,
  );
  for (const row of rows)
    console.log(
      `  ${row.name.padEnd(36)} ${(row.bytes / 1e6).toFixed(0).padStart(7)} MB  ${(row.bytes / links).toFixed(1).padStart(6)} bytes per link` +
        (row.uses === null ? '' : `  ${Number(row.uses) === 0 ? 'unused' : `${row.uses} scans`}`),
    );
}
