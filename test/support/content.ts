import type { Response, Test } from 'supertest';
import type { TestDatabase } from './database';
import { eventually } from './eventually';
import type { TestService } from './service';

const tablesWithContent = `SELECT tablename AS name FROM pg_tables
  WHERE schemaname = 'public' AND tablename !~ '^(association_checks|browser_escape_|clicks|fresh_click_|click_|journal|link_totals)' ORDER BY 1`;

/**
 * Returns every row of every table in a fixed order. Excludes clicks, counts of events, checks of association files and `last_used_at`,
 * because they are written asynchronously. Excludes the journal, because reading it numbers its entries.
 */
export async function contentOf(database: TestDatabase): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(tablesWithContent);
  const rows = await database.query<{ name: string; row: string }>(
    `${tables
      .map(({ name }) => `SELECT '${name}' AS name, (to_jsonb(t) - 'last_used_at')::text AS row FROM "${name}" t`)
      .join(' UNION ALL ')} ORDER BY 1, 2`,
  );
  const content: Record<string, string[]> = Object.fromEntries(tables.map(({ name }) => [name, []]));
  for (const { name, row } of rows) content[name]!.push(row);
  return content;
}

/**
 * Returns the number of rows of each table and the sum of their hashes, which is all that a comparison needs. Excludes what `contentOf`
 * excludes. PostgreSQL computes it, because hundreds of tests call this twice.
 */
export async function stateOf(database: TestDatabase): Promise<unknown> {
  let statement = stateStatements.get(database.url);
  if (statement === undefined) {
    const tables = await database.query<{ name: string }>(tablesWithContent);
    const hashes = tables.map(({ name }) => {
      const row = name === 'api_keys' ? "(to_jsonb(t) - 'last_used_at')::text" : 't::text';
      return `SELECT '${name}' AS name, count(*)::int AS rows, sum(hashtextextended(${row}, 0)) AS hash FROM "${name}" t`;
    });
    statement = hashes.join(' UNION ALL ');
    stateStatements.set(database.url, statement);
  }
  return database.query(statement, undefined, 'state');
}

/** The statement of `stateOf` by database. Its plan takes five times as long as its execution. */
const stateStatements = new Map<string, string>();

/** Selects whether rows wait for a purge, which removes them at any time. */
const isPurgeDue = `SELECT EXISTS (SELECT FROM projects WHERE deleted_at IS NOT NULL)
  OR EXISTS (SELECT FROM dynamic_links WHERE deleted_at IS NOT NULL)
  OR EXISTS (SELECT FROM tags WHERE retired_at IS NOT NULL)
  OR EXISTS (SELECT FROM imports WHERE deleted_at IS NOT NULL) AS due`;

/** Waits until the service has removed what is marked for removal, because it may do that at any time. */
export const purgesEnded = (database: TestDatabase) =>
  eventually(async () => !(await database.query<{ due: boolean }>(isPurgeDue, undefined, 'purges'))[0]!.due);

/** Returns the state once nothing is marked for removal. */
export async function settledStateOf(database: TestDatabase): Promise<unknown> {
  await purgesEnded(database);
  return stateOf(database);
}

/**
 * Copies every table except those of clicks and the journal. Returns a function that restores the rows. It runs no triggers, so caches of
 * link traffic are not invalidated.
 */
export async function snapshotOf(database: TestDatabase): Promise<() => Promise<void>> {
  const tables = await database.query<{ name: string; columns: string }>(
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') AS columns
     FROM information_schema.columns JOIN pg_tables ON schemaname = table_schema AND tablename = table_name
     WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name !~ '^(clicks|fresh_click_|click_|journal)'
     GROUP BY 1`,
  );
  await database.query('CREATE SCHEMA snapshot');
  await database.query(tables.map(({ name }) => `CREATE TABLE snapshot."${name}" AS TABLE "${name}"`).join(';'));
  const restore = tables.map(
    ({ name, columns }) =>
      `DELETE FROM "${name}"; INSERT INTO "${name}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM snapshot."${name}";`,
  );
  const statements = `BEGIN; SET LOCAL session_replication_role = replica; ${restore.join('')} COMMIT`;
  return async () => void (await database.query(statements));
}

/** Returns the response to a request and expects the same database content as before. */
export async function changingNothing(on: TestService, request: () => Test): Promise<Response> {
  const before = await settledStateOf(on.database);
  const response = await request();
  expect(await stateOf(on.database)).toEqual(before);
  return response;
}

/** Returns the number of rows of each table that belong to the project. */
export async function rowsOf(on: TestService, projectId: string): Promise<Record<string, number>> {
  const [row] = await on.database.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM projects WHERE id = $1) AS projects,
            (SELECT count(*)::int FROM dynamic_links WHERE project_id = $1) AS dynamic_links,
            (SELECT count(*)::int FROM link_paths WHERE project_id = $1) AS link_paths,
            (SELECT count(*)::int FROM short_links WHERE project_id = $1) AS short_links,
            (SELECT count(*)::int FROM ios_apps WHERE project_id = $1) AS ios_apps,
            (SELECT count(*)::int FROM android_apps WHERE project_id = $1) AS android_apps,
            (SELECT count(*)::int FROM project_counts WHERE project_id = $1) AS project_counts`,
    [projectId],
  );
  return row!;
}

/** Waits until the purge of a deleted project has removed its rows. */
export async function untilPurged(on: TestService, projectId: string): Promise<void> {
  await eventually(async () => Object.values(await rowsOf(on, projectId)).every((count) => count === 0));
}

/** Compares by code point as the database does, because JavaScript compares UTF-16 code units. */
export function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
