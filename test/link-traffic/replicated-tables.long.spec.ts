import { Client } from 'pg';
import { PgVisitedLinkRepository } from '../../src/link-traffic/resolving/pg-visited-link.repository';
import { keyOf } from '../../src/link-traffic/resolving/cached-models';
import { siteOfLabel } from '../../src/link-traffic/resolving/site';
import { LinkHosts } from '../../src/link-paths/paths/link-hosts';
import { maxFilteredLinks } from '../../src/links/bulk/bulk-action';
import { createDatabase, onServer, type TestDatabase } from '../support/database';
import { atEndOfTest } from '../support/end-of-test';
import { aPool } from '../support/pool';

// Regions have what visits read, and their triggers by row send what the triggers by statement of a primary send.

const id = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;

/** A row of each replicated table, after the rows that it refers to. */
const rows: Record<string, string> = {
  projects: `(id, account_id, user_id, name, subdomain) VALUES ('${id(1)}', '${id(1)}', '${id(1)}', 'P', 'shop')`,
  subdomains: `(name, project_id) VALUES ('shop', '${id(1)}')`,
  custom_domains: `(id, project_id, hostname, challenge, verified_at, next_check_at)
    VALUES ('${id(2)}', '${id(1)}', 'links.example.com', 'c', now(), now())`,
  ios_apps: `(id, project_id, name, bundle_id, team_id) VALUES ('${id(3)}', '${id(1)}', 'A', 'com.example', 'ABCDE12345')`,
  android_apps: `(id, project_id, name, package_name, sha_fingerprints) VALUES ('${id(4)}', '${id(1)}', 'A', 'com.example', '{}')`,
  link_templates: `(id, project_id, name) VALUES ('${id(7)}', '${id(1)}', 'T')`,
  dynamic_links: `(id, project_id, name, custom_path) VALUES ('${id(5)}', '${id(1)}', 'L', 'summer')`,
  short_links: `(id, project_id, dynamic_link_id, slug, source) VALUES ('${id(6)}', '${id(1)}', '${id(5)}', 's', 'api')`,
  link_paths: `(project_id, path, dynamic_link_id) VALUES ('${id(1)}', 'summer', '${id(5)}')`,
  visitor_keys: `(day) VALUES ((now() AT TIME ZONE 'UTC')::date)`,
};
const tables = Object.keys(rows);

/** Columns whose changes visitors notice; of other tables, all. */
const noticed: Record<string, string> = {
  projects: `subdomain deleted_at long_link_destinations root_url not_found_url expired_url query_forwarding forwarded_params
    conversions click_id_param`,
  subdomains: '',
  custom_domains: 'project_id hostname active open_host',
  dynamic_links: `custom_path desktop_url ios_app_id android_app_id ios_fallback_url android_fallback_url ios_deferred_deep_link
    social_title social_description social_image_url referrer_params deleted_at title disabled query_forwarding forwarded_params
    external_id app_data variants rules template active_from active_until expired_url conversions password_hash click_limit used_up`,
  short_links: '',
  visitor_keys: '',
};

/** Another value of a column, by its type. */
const others: Record<string, string> = {
  text: `coalesce(COLUMN, '') || 'x'`,
  boolean: 'NOT coalesce(COLUMN, false)',
  uuid: `'${id(9)}'`,
  date: 'COLUMN + 1',
  bigint: 'coalesce(COLUMN, 0) + 1',
  integer: 'coalesce(COLUMN, 0) + 1',
  bytea: `coalesce(COLUMN, '') || 'x'::bytea`,
  'text[]': `ARRAY['x']`,
  'uuid[]': `ARRAY['${id(9)}'::uuid]`,
  jsonb: `'[["a", "b"]]'`,
  'timestamp(3) with time zone': `coalesce(COLUMN, now()) + interval '1 day'`,
  'timestamp with time zone': `coalesce(COLUMN, now()) + interval '1 day'`,
};

interface Side {
  database: TestDatabase;
  client: Client;
  /** How changes arrive: from clients, or by replication. */
  role: 'origin' | 'replica';
  payloads: string[];
}

let primary: Side;
let region: Side;
beforeAll(async () => {
  [primary, region] = await Promise.all([aSide('origin'), aSide('replica')]);
  await region.database.query('SELECT create_region_triggers()');
});
afterAll(async () => {
  for (const side of [primary, region]) {
    await side.client.end();
    await side.database.drop();
  }
});

/** Creates a database without constraints except primary keys, so that each column can have another value. */
async function aSide(role: Side['role']): Promise<Side> {
  const database = await createDatabase();
  const constraints = await database.query<{ name: string; table: string }>(
    `SELECT conname AS name, conrelid::regclass AS table FROM pg_constraint WHERE conrelid = ANY ($1::regclass[]) AND contype IN ('f', 'c')`,
    [tables],
  );
  for (const { name, table } of constraints)
    await database.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name} CASCADE`);
  await database.query(`INSERT INTO accounts (id, name, plan) VALUES ('${id(1)}', 'A', 'pro')`);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const side: Side = { database, client, role, payloads: [] };
  client.on('notification', ({ payload = '' }) => side.payloads.push(payload));
  await client.query('LISTEN signpost_changes');
  return side;
}

/** Makes a change of new rows, and returns what it notifies of. The rows of `missing` and of later tables are left out. */
async function notificationsOf(side: Side, change: string, missing?: string): Promise<string[]> {
  const { client, role } = side;
  await client.query('SET session_replication_role = replica');
  await client.query(`TRUNCATE ${tables.join(', ')}, click_purges CASCADE`);
  for (const table of missing ? tables.slice(0, tables.indexOf(missing)) : tables)
    await client.query(`INSERT INTO ${table} ${rows[table]}`);
  side.payloads = [];
  // A session gets its notifications before the end of the transaction is confirmed.
  await client.query(`SET session_replication_role = ${role}`);
  // That of replication is empty.
  if (role === 'replica') await client.query("SET search_path = ''");
  await client.query(change.replace(/^(INSERT INTO|UPDATE|DELETE FROM) /, '$1 public.'));
  await client.query('RESET search_path');
  const names = side.payloads.flatMap((payload) => {
    const message = JSON.parse(payload) as string | Record<string, string[]>;
    return typeof message === 'string'
      ? [message]
      : Object.entries(message).flatMap(([kind, all]) => all.map((name) => `${kind} ${name}`));
  });
  return [...new Set(names)].sort();
}

async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  return primary.database.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
}

test('the list of replicated tables has these, and the regions for the lag', async () => {
  const [row] = await primary.database.query<{ tables: string[] }>('SELECT replicated_tables() AS tables');
  expect(row!.tables.toSorted()).toEqual([...tables, 'regions'].sort());
});

test('visits read each of these tables, and no other', async () => {
  const { database } = primary;
  await notificationsOf(primary, 'SELECT');
  const role = `visitor_${process.pid}`;
  await onServer(`CREATE ROLE ${role}`);
  atEndOfTest(() => onServer(`DROP ROLE ${role}`));
  atEndOfTest(() => database.query(`DROP OWNED BY ${role}`));
  const pool = aPool({ connectionString: database.url, max: 1, options: `-c role=${role}` });
  atEndOfTest(() => pool.end());
  const hosts = new LinkHosts(new URL('https://go.test'), new URL('https://api.test'));
  const visits = new PgVisitedLinkRepository(pool, hosts);
  const visit = async () => {
    await visits.findProjects([siteOfLabel('shop')]);
    await visits.findLinks([keyOf(id(1), 'summer')]);
    await visits.findOwnedPaths(id(1));
    await visits.findWebPaths(id(1));
    await visits.visitorKey();
  };
  await database.query(`GRANT SELECT ON ${tables.join(', ')} TO ${role}`);
  await visit();
  for (const table of tables) {
    await database.query(`REVOKE SELECT ON ${table} FROM ${role}`);
    await expect(visit()).rejects.toThrow(`permission denied for table ${table}`);
    await database.query(`GRANT SELECT ON ${table} TO ${role}`);
  }
});

describe.each(tables)('a region notifies as its primary does of %s', (table) => {
  test('that are inserted', async () => {
    const change = `INSERT INTO ${table} ${rows[table]}`;
    // The primary adds the path of a link itself, which arrives in the region as another row.
    const expected = await notificationsOf(primary, change, table);
    expect(await notificationsOf(region, change, table)).toEqual(expected);
  });

  test('that are deleted', async () => {
    const change = `DELETE FROM ${table}`;
    const expected = await notificationsOf(primary, change);
    expect((await notificationsOf(region, change)).filter(isOf(table))).toEqual(expected.filter(isOf(table)));
  });

  test('whose columns change', async () => {
    const announced: string[] = [];
    // The id of a row never changes, nor its project.
    const columns = (await columnsOf(table)).filter(
      ({ name }) => name !== 'id' && (name !== 'project_id' || table === 'custom_domains'),
    );
    for (const { name, type } of columns) {
      const value = others[type];
      if (!value) throw new Error(`${table}.${name}: add a value of the type ${type}`);
      const change = `UPDATE ${table} SET ${name} = ${value.replace('COLUMN', name)}`;
      const sent = (await notificationsOf(primary, change)).filter(isOf(table));
      expect([name, ...(await notificationsOf(region, change)).filter(isOf(table))]).toEqual([name, ...sent]);
      if (sent.length > 0) announced.push(name);
    }
    const expected = noticed[table]?.split(/\s+/).filter(Boolean) ?? columns.map(({ name }) => name);
    expect(announced.sort()).toEqual(expected.toSorted());
  });
});

test.each(['UPDATE projects SET deleted_at = now()', 'DELETE FROM projects'])(
  'a region removes its clicks from both stores after %s',
  async (change) => {
    await region.database.query('TRUNCATE clickhouse_purges');
    await notificationsOf(region, change);
    for (const list of ['click_purges', 'clickhouse_purges'])
      expect(await region.database.query(`SELECT project_id FROM ${list}`)).toEqual([{ project_id: id(1) }]);
  },
);

test('a region notifies as its primary does of a custom domain that is no longer verified', async () => {
  const change = 'UPDATE custom_domains SET verified_at = NULL, next_check_at = NULL';
  const expected = await notificationsOf(primary, change);
  expect(expected).toEqual(['hosts links.example.com', `projects ${id(1)}`]);
  expect(await notificationsOf(region, change)).toEqual(expected);
});

test('a verified domain that is inserted, as into a rebuilt region, notifies of its host and its project', async () => {
  const change = `INSERT INTO custom_domains ${rows['custom_domains']}`;
  for (const side of [primary, region])
    expect(await notificationsOf(side, change, 'custom_domains')).toEqual([
      'hosts links.example.com',
      `projects ${id(1)}`,
    ]);
});

/** Leaves out what triggers of the primary write to other tables, because that arrives in the region as rows of those. */
const isOf = (table: string) => (name: string) =>
  (table === 'link_paths' || !name.startsWith('paths ')) && (table === 'custom_domains' || !name.startsWith('hosts '));

/** Deletes links in one transaction, each with its path and one of a short link. */
const deletionOf = (links: number) => `INSERT INTO dynamic_links (id, project_id, name, custom_path)
    SELECT gen_random_uuid(), '${id(1)}', 'L', 'link-' || number FROM generate_series(1, ${links}) AS number;
  INSERT INTO public.link_paths (project_id, path, dynamic_link_id)
    SELECT project_id, path, id FROM public.dynamic_links, unnest(ARRAY[custom_path, 'short-' || custom_path]) AS path
    WHERE custom_path <> 'summer';
  DELETE FROM public.link_paths WHERE path <> 'summer';
  DELETE FROM public.dynamic_links WHERE custom_path <> 'summer'`;

test('a region names all links and paths that one request deletes, so that other projects keep their caches', async () => {
  const sent = await notificationsOf(region, deletionOf(maxFilteredLinks));
  expect(sent).not.toContain('everything');
  expect(sent).toHaveLength(3 * maxFilteredLinks);
});

test('a region says that everything changed after a transaction of many more rows', async () => {
  expect(await notificationsOf(region, deletionOf(2 * maxFilteredLinks))).toContain('everything');
});
