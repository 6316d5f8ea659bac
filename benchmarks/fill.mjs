import { createHash } from 'node:crypto';
import { account } from './programs.mjs';
import { createWords } from './words.mjs';

const linksPerStatement = 500_000;

/** The number of links of the first project, if there are so many. The further projects have 10,000 links each, and their accounts 100 projects. */
export const linksOfFirst = 1_000_000;
const linksPerProject = 10_000;
const projectsPerAccount = 100;

const tables = ['dynamic_links', 'link_paths'];

/** Returns where the link of a number is, as `fill` placed it. */
export const placeOf = (number, links) => {
  const first = Math.min(links, linksOfFirst);
  const project = number <= first ? 0 : Math.ceil((number - first) / linksPerProject);
  return { host: `size-${project}`, path: pathOf(number) };
};

/** Eight letters and digits, as the service generates paths. */
function pathOf(number) {
  const drawn = createHash('md5').update(String(number)).digest().subarray(0, 6).toString('base64');
  return drawn.replaceAll('+', 'A').replaceAll('/', 'a');
}

/**
 * Fills a migrated database with links. Triggers, constraints and indexes are absent meanwhile. Then constraints and indexes are
 * built as a migration builds them, and the counts as the triggers keep them.
 *
 * @param {(message: string) => void} report
 * @returns {Promise<string>} the API key of the first project's account
 */
export async function fill(client, databaseUrl, links, report) {
  const sql = async (text, values) => (await client.query(text, values)).rows;
  const timed = async (what, work) => {
    const startedAt = performance.now();
    await work();
    report(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  const { account: owner, user, api_key: key } = account(databaseUrl, 'enterprise');
  await createWords(client);
  // One transaction with empty tables, so that wal_level=minimal leaves the rows out of the write-ahead log.
  await sql('BEGIN');
  await sql('SET LOCAL session_replication_role = replica');
  const constraints = await sql(
    `SELECT conrelid::regclass::text AS table, conname AS name, contype AS type, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND (conrelid::regclass::text = ANY ($1) OR confrelid::regclass::text = ANY ($1))
     ORDER BY contype = 'f' DESC`,
    [tables],
  );
  for (const { table, name } of constraints) await sql(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const indexes = await sql(
    'SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = ANY ($1)',
    [tables],
  );
  for (const { name } of indexes) await sql(`DROP INDEX ${name}`);
  await sql(`TRUNCATE ${tables}`);

  const first = Math.min(links, linksOfFirst);
  const others = Math.ceil((links - first) / linksPerProject);
  await createProjects(sql, owner.id, user.id, others);
  for (let from = 1; from <= links; from += linksPerStatement) {
    const to = Math.min(links, from + linksPerStatement - 1);
    await timed(`${to} links`, () => sql(insertLinks, [first, linksPerProject, links, from, to]));
  }
  await timed('paths', () =>
    sql(
      'INSERT INTO link_paths (project_id, path, dynamic_link_id) SELECT project_id, custom_path, id FROM dynamic_links',
    ),
  );
  await sql(`INSERT INTO project_counts (project_id, shard, dynamic_links)
    SELECT project_id, 0, count(*) FROM dynamic_links GROUP BY project_id`);
  for (const { name, definition } of indexes) await timed(name, () => sql(definition));
  for (const { table, name, definition } of constraints.toReversed())
    await timed(name, () => sql(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`));
  await sql('COMMIT');
  await timed('VACUUM ANALYZE', () => sql('VACUUM ANALYZE'));
  await check(sql, links);
  await timed('checkpoint', () => sql('CHECKPOINT'));
  return key.key;
}

/** Creates the first project in the given account, and the others in accounts that nobody uses. */
async function createProjects(sql, accountId, userId, others) {
  await sql('CREATE TABLE bench_projects (number int PRIMARY KEY, id uuid, apps uuid[])');
  await sql(
    `WITH owner AS (
       INSERT INTO accounts (id, name, plan) SELECT gen_random_uuid(), 'Account ' || n, 'enterprise' FROM generate_series(1, $1::int) n RETURNING id
     )
     INSERT INTO users (id, account_id) SELECT gen_random_uuid(), id FROM owner`,
    [Math.ceil(others / projectsPerAccount)],
  );
  await sql(
    `WITH owner AS (SELECT id, account_id, row_number() OVER () - 1 AS number FROM users WHERE account_id <> $1),
     project AS (
       INSERT INTO projects (id, account_id, user_id, name, subdomain)
       SELECT gen_random_uuid(), $1::uuid, $2::uuid, 'Project 0', 'size-0'
       UNION ALL
       SELECT gen_random_uuid(), owner.account_id, owner.id, 'Project ' || n, 'size-' || n
       FROM generate_series(1, $3::int) n JOIN owner ON owner.number = (n - 1) / $4::int
       RETURNING id, subdomain
     )
     INSERT INTO bench_projects SELECT substr(subdomain, 6)::int, id FROM project`,
    [accountId, userId, others, projectsPerAccount],
  );
  await sql('INSERT INTO subdomains (name, account_id, project_id) SELECT subdomain, account_id, id FROM projects');
  await sql(
    `WITH app AS (
       INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id)
       SELECT gen_random_uuid(), id, 'App', 'com.example.app' || n, 'ABCDE12345' FROM bench_projects, generate_series(1, 2) n
       RETURNING id, project_id
     )
     UPDATE bench_projects AS p SET apps = (SELECT array_agg(app.id) FROM app WHERE app.project_id = p.id)`,
  );
  await sql('ANALYZE bench_projects');
}

/** As in `placeOf`. Names have two words; a third of the links have an app. The first project has 40 zebras. */
const insertLinks = `
  INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, ios_fallback_url, ios_app_id, created_at, updated_at)
  SELECT uuidv7(at - now()), project.id,
    CASE WHEN n <= $1 AND n % greatest($1::int / 40, 1) = 7 THEN 'Zebra ' ELSE '' END || initcap(a.word) || ' ' || b.word || ' ' || n,
    translate(encode(substr(decode(md5(n::text), 'hex'), 1, 6), 'base64'), '+/', 'Aa'), 'https://shop.example.com/products/' || n,
    CASE WHEN n % 2 = 0 THEN 'https://m.example.com/p/' || n END,
    CASE WHEN n % 3 = 0 THEN project.apps[1] WHEN n % 10 = 1 THEN project.apps[2] END, at, at
  FROM (
    SELECT n, timestamptz '2026-01-01' - ($3::int - n) * interval '0.5 seconds' AS at,
      CASE WHEN n <= $1::int THEN 0 ELSE ceil((n - $1::int) / $2::float8)::int END AS project_number,
      floor(50000 ^ random())::int AS r1, floor(50000 ^ random())::int AS r2
    FROM generate_series($4::int, $5::int) n OFFSET 0
  ) AS numbers
    JOIN bench_words a ON a.rank = r1 JOIN bench_words b ON b.rank = r2
    JOIN bench_projects AS project ON project.number = project_number`;

/** @throws Error if a count, path or reference is missing */
async function check(sql, links) {
  const [counts] = await sql(
    `SELECT (SELECT count(*) FROM dynamic_links)::float8 AS links, (SELECT count(*) FROM link_paths)::float8 AS paths,
       (SELECT sum(dynamic_links) FROM project_counts)::float8 AS counted,
       (SELECT count(*) FROM pg_constraint WHERE NOT convalidated)::float8 AS unchecked`,
  );
  const expected = { links, paths: links, counted: links, unchecked: 0 };
  for (const [name, value] of Object.entries(expected))
    if (counts[name] !== value)
      throw new Error(`The database has ${counts[name]} ${name} after the fill, instead of ${value}.`);
}
