// npm run schema: writes docs/schema.sql, the database after all migrations. With --check, fails if the file differs.
// It reads the catalogue, because the embedded PostgreSQL has no pg_dump. It leaves out what depends on the day (partitions).
// Run `npm run build` first.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const file = join(root, 'docs/schema.sql');
const require = createRequire(import.meta.url);
const { Client } = require('pg');
const { startEmbeddedPostgres } = require('../build/platform/embedded-postgres/embedded-postgres.js');
const { migrate } = require('../build/platform/schema/migrations.js');

const isOurs = (namespace) =>
  `${namespace} IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'import_data'))`;
const isOfNoExtension = (object) => `NOT EXISTS (SELECT FROM pg_depend WHERE objid = ${object} AND deptype = 'e')`;

/** Each query returns the definitions of one kind in order, in a column `sql`. */
const queries = {
  Extensions: `SELECT format('CREATE EXTENSION %I;', extname) AS sql FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY extname`,
  Types: `
    SELECT format(E'CREATE TYPE %s AS (\\n%s\\n);', oid::regclass,
      (SELECT string_agg(format('  %I %s', attname, format_type(atttypid, atttypmod)), E',\\n' ORDER BY attnum)
       FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped)) AS sql
    FROM pg_class WHERE relkind = 'c' AND ${isOurs('relnamespace')} AND ${isOfNoExtension('oid')} ORDER BY relname`,
  Tables: `
    SELECT concat_ws(E'\\n', format(E'CREATE TABLE %s (\\n%s\\n)%s;', oid::regclass, concat_ws(E',\\n',
      (SELECT string_agg(concat_ws(' ', format('  %I %s', attname, format_type(atttypid, atttypmod)),
          CASE WHEN attcollation <> typcollation THEN 'COLLATE ' || attcollation::regcollation END,
          CASE WHEN attgenerated <> '' THEN format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(adbin, adrelid))
            WHEN attidentity <> '' THEN 'GENERATED ALWAYS AS IDENTITY'
            WHEN adbin IS NOT NULL THEN 'DEFAULT ' || pg_get_expr(adbin, adrelid) END,
          CASE WHEN attnotnull THEN 'NOT NULL' END), E',\\n' ORDER BY attnum)
       FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
       WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped),
      (SELECT string_agg(format('  CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), E',\\n' ORDER BY contype DESC, conname)
       FROM pg_constraint WHERE conrelid = pg_class.oid AND contype IN ('p', 'u', 'f', 'c', 'x'))),
      CASE WHEN relkind = 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(oid) END),
      (SELECT string_agg(CASE objsubid WHEN 0 THEN format('COMMENT ON TABLE %s IS %L;', objoid::regclass, description)
          ELSE format('COMMENT ON COLUMN %s.%I IS %L;', objoid::regclass, attname, description) END, E'\\n' ORDER BY objsubid)
       FROM pg_description LEFT JOIN pg_attribute ON attrelid = objoid AND attnum = objsubid AND objsubid > 0
       WHERE classoid = 'pg_class'::regclass AND objoid = pg_class.oid),
      (SELECT string_agg(pg_get_indexdef(indexrelid) || ';', E'\\n' ORDER BY indexrelid::regclass::text) FROM pg_index
       WHERE indrelid = pg_class.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))),
      (SELECT string_agg(pg_get_triggerdef(oid) || ';', E'\\n' ORDER BY tgname) FROM pg_trigger
       WHERE tgrelid = pg_class.oid AND NOT tgisinternal)) AS sql
    FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND ${isOurs('relnamespace')} AND ${isOfNoExtension('oid')}
    ORDER BY oid::regclass::text`,
  Views: `
    SELECT format(E'CREATE VIEW %s AS\\n%s', oid::regclass, pg_get_viewdef(oid)) AS sql
    FROM pg_class WHERE relkind = 'v' AND ${isOurs('relnamespace')} AND ${isOfNoExtension('oid')} ORDER BY relname`,
  Functions: `
    SELECT pg_get_functiondef(oid) || ';' AS sql FROM pg_proc
    WHERE ${isOurs('pronamespace')} AND ${isOfNoExtension('oid')} ORDER BY proname, pg_get_function_identity_arguments(oid)`,
};

async function definitions(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const parts = ['-- The database after all migrations, written by `npm run schema`.'];
    for (const [kind, query] of Object.entries(queries)) {
      const { rows } = await client.query(query);
      if (rows.length > 0) parts.push(`-- ${kind}`, ...rows.map(({ sql }) => sql.trim()));
    }
    return `${parts.join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'signpost-schema-'));
// If root runs this script, the server runs as another user, who must have access to the directory.
chmodSync(dataDir, 0o755);
const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
try {
  await migrate(server.url);
  const schema = await definitions(server.url);
  if (!process.argv.includes('--check')) writeFileSync(file, schema);
  else if (readFileSync(file, 'utf8') !== schema) {
    console.error('docs/schema.sql is not what the migrations create. Run npm run schema, and commit the file.');
    process.exitCode = 1;
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
