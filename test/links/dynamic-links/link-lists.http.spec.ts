import type { components } from '../../../clients/typescript/src/index';
import { listLimits } from '../../../src/platform/tables/list-sql';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aTag, updated } from '../../support/builders';
import { atEndOfTest } from '../../support/end-of-test';
import { accountFixture, serviceFixture } from '../../support/fixtures';
import { fc, runs } from '../../support/properties';
import { rowsRead } from '../../support/rows-read';
import { words } from '../../support/words';

const usual = { ...listLimits };
const maxCounted = 100;
const links = 1500;

beforeAll(() => Object.assign(listLimits, { maxCounted, maxScanned: 400 }));
afterAll(() => Object.assign(listLimits, usual));
const on = serviceFixture();
const account = accountFixture(on);
let projectId: string;
let iosApps: string[];
let androidApps: string[];
/** Half of the links have the first tag, and one in forty the second. */
let tags: Record<'dense' | 'rare', string>;

beforeAll(async () => {
  projectId = (await aProject(on, account.key)).id;
  const apps = (anApp: typeof anIosApp | typeof anAndroidApp) =>
    Promise.all([1, 2].map(async () => (await anApp(on, account.key, projectId)).id));
  iosApps = await apps(anIosApp);
  androidApps = await apps(anAndroidApp);
  const tagId = async (name: string) => (await aTag(on, account.key, projectId, { name })).id;
  tags = { dense: await tagId('dense'), rare: await tagId('rare') };
  await insert(links, 0);
  // Another project has the same links.
  const { id } = await aProject(on, account.key);
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url)
     SELECT gen_random_uuid(), $1, name, custom_path, desktop_url FROM dynamic_links`,
    [id],
  );
  await on.database.query('VACUUM ANALYZE dynamic_links');
});

const names = "Summer,summertime,50% off,a_b,back\\slash,quo'te,Ärger,漢字,👩‍👧,e\u0301,x".split(',');

/** Inserts links whose names, apps and times repeat with different periods, so that there are dense and rare combinations, and ties. */
async function insert(count: number, from: number): Promise<void> {
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, ios_fallback_url, android_fallback_url, ios_app_id,
       android_app_id, created_at, archived, tag_ids)
     SELECT gen_random_uuid(), $1, ($2::text[])[1 + n % 7] || ' ' || ($2::text[])[1 + n % 11 * n % 11]
         || CASE WHEN n % 50 = 0 THEN ' zq' WHEN n > 1200 THEN ' oldest' ELSE '' END,
       'path-' || n || substr(md5(n::text), 1, 4), CASE n % 4 WHEN 1 THEN 'https://shop.example/' || n END,
       CASE n % 9 WHEN 1 THEN 'https://apple.example/' END, CASE n % 9 WHEN 2 THEN 'https://robot.example/' END,
       ($3::uuid[])[1 + n % 3], ($4::uuid[])[1 + n % 5], now() - n / 7 * interval '1 minute', n % 11 = 5,
       CASE WHEN n % 2 = 0 THEN ARRAY[$7::uuid] ELSE '{}' END || CASE WHEN n % 40 = 3 THEN ARRAY[$8::uuid] ELSE '{}' END
     FROM generate_series($5::int, $5::int + $6::int - 1) n`,
    [projectId, names, iosApps, androidApps, from, count, tags.dense, tags.rare],
  );
}

interface Query {
  search?: string;
  ios_app_id?: string;
  android_app_id?: string;
  archived?: string;
  tag?: string;
  exclude_tag?: string;
  sortBy: string;
  sortOrder: string;
}

type Answer = components['schemas']['DynamicLinkPage'];

async function read(query: Partial<Query> & { page?: number; limit?: number }): Promise<Answer> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await on.api('get', `/projects/${projectId}/links?${text.toString()}`, account.key).expect(200);
  return answer.body as Answer;
}

const idOf = (name?: string): string | null => (name && tags[name.toLowerCase() as keyof typeof tags]) ?? null;

/** Returns all ids of the list by a scan of the table. */
async function scan(query: Query): Promise<string[]> {
  const { search, ios_app_id: iosApp, android_app_id: androidApp, archived = 'false', sortBy, sortOrder } = query;
  const column = sortBy === 'name' ? 'name COLLATE "C"' : sortBy;
  const rows = await on.database.query<{ id: string }>(
    `SELECT id FROM dynamic_links WHERE project_id = $1 AND deleted_at IS NULL
       AND ($2::text IS NULL OR EXISTS (
         SELECT FROM unnest(ARRAY[name, custom_path COLLATE "default", desktop_url, ios_fallback_url, android_fallback_url]) AS field
         WHERE strpos(fold_text(field), fold_text($2)) > 0))
       AND ($3::uuid IS NULL OR ios_app_id = $3) AND ($4::uuid IS NULL OR android_app_id = $4)
       AND ($5 = 'any' OR archived::text = $5)
       AND ($6::uuid IS NULL OR $6 = ANY (tag_ids)) AND ($7::uuid IS NULL OR $7 <> ALL (tag_ids))
     ORDER BY ${column} ${sortOrder}, id ${sortOrder}`,
    [projectId, search ?? null, iosApp ?? null, androidApp ?? null, archived, idOf(query.tag), idOf(query.exclude_tag)],
  );
  return rows.map(({ id }) => id);
}

function isTotalKept({ search, ios_app_id: iosApp, android_app_id: androidApp, tag, exclude_tag: without }: Query) {
  const isOneTag = (tag === undefined) !== (without === undefined) && idOf(tag ?? without) !== null;
  const hasNoTag = tag === undefined && idOf(without) === null;
  return search === undefined && iosApp === undefined && androidApp === undefined && (isOneTag || hasNoTag);
}

async function expectRight(query: Query, page: number, limit: number): Promise<void> {
  const ids = await scan(query);
  const { data, pagination } = await read({ ...query, page, limit });
  const isCounted = ids.length <= maxCounted || isTotalKept(query);
  const expected = { total: isCounted ? ids.length : maxCounted, hasNextPage: page * limit < ids.length };
  expect({ query, ...pagination }).toMatchObject({ query, ...expected });
  expect([query, pagination.totalRelation]).toEqual([query, isCounted ? undefined : 'at_least']);
  expect([query, data.map(({ id }) => id)]).toEqual([query, ids.slice((page - 1) * limit, page * limit)]);
}

const searches = [
  ...words(`
    s su summer SUMMERTIME zq zQ q path path-107 x - oldest % _ 50% a_b a%b o't " ä Ä 漢 漢字 👩 shop.example
    HTTPS://SHOP. apple robot.example/ nosuchword --
  `),
  ...['mer su', ' ', '\\', '\\\\', '0% o', 'k\\s', "'; --", '\u200d', 'x'.repeat(200)],
];

const one = 'caf\u00e9';
const two = 'cafe\u0301';
test.each([
  ['a composed letter by a decomposed one', one, two],
  ['a decomposed letter by a composed one', two, one],
  ['a letter of full width', 'Ｓale', 'sale'],
  ['a ligature', 'oﬃce', 'office'],
  ['ß by ss', 'straße', 'STRASSE'],
])('a search finds %s', async (_, name, search) => {
  const { key } = await on.anAccount('enterprise');
  const project = await aProject(on, key, { name });
  const link = await aDynamicLink(on, key, project.id, { name });
  const app = await anIosApp(on, key, project.id, { name });
  const tag = await aTag(on, key, project.id, { name });
  const found = async (path: string) =>
    (await on.api('get', `${path}?search=${encodeURIComponent(search)}`, key).expect(200)).body.data as {
      id: string;
    }[];
  const path = `/projects/${project.id}`;
  expect(await found('/projects')).toMatchObject([{ id: project.id }]);
  expect(await found(`${path}/links`)).toMatchObject([{ id: link.id }]);
  expect(await found(`${path}/ios-apps`)).toMatchObject([{ id: app.id }]);
  expect(await found(`${path}/tags`)).toMatchObject([{ id: tag.id }]);
});

test('a search follows a change of each field', async () => {
  const { id } = await aDynamicLink(on, account.key, projectId, { name: 'First', custom_path: 'first-path' });
  const total = async (search: string) => (await read({ search })).pagination.total;
  for (const field of ['name', 'custom_path', 'desktop_url', 'ios_fallback_url', 'android_fallback_url']) {
    const value = field.endsWith('url') ? `https://changed.example/${field}` : `changed-${field}`;
    await updated(on, account.key, `/projects/${projectId}/links/${id}`, { [field]: value });
    expect([field, await total(value)]).toEqual([field, 1]);
  }
  expect(await total('first-path')).toBe(0);
  await on.api('delete', `/projects/${projectId}/links/${id}`, account.key).expect(200);
});

test.each([
  ['a text that no link contains', { search: 'nosuchword' }, 30],
  ['a rare text', { search: 'path-107' }, 60],
  ['a common word', { search: 'summer' }, 400],
  ['no text', {}, 60],
  ['a deep page', { page: 140 }, 1500],
])('a search for %s reads few rows besides its own', async (_, query, maxRows) => {
  await on.database.query('VACUUM ANALYZE dynamic_links');
  expect(await rowsRead(on, () => read(query))).toBeLessThan(maxRows);
});

const queries = fc.record(
  {
    search: fc.constantFrom(...searches),
    ios_app_id: fc.nat(2).map((at) => iosApps[at] ?? '00000000-0000-4000-8000-000000000000'),
    android_app_id: fc.nat(2).map((at) => androidApps[at] ?? '00000000-0000-4000-8000-000000000000'),
    archived: fc.constantFrom('false', 'true', 'any'),
    tag: fc.constantFrom('dense', 'RARE'),
    exclude_tag: fc.constantFrom('Dense', 'rare', 'unknown'),
    sortBy: fc.constantFrom('created_at', 'updated_at', 'name', 'custom_path'),
    sortOrder: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: ['sortBy', 'sortOrder'] },
);

const places = fc.record({
  page: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  limit: fc.constantFrom(1, 10, 33, 100),
});

test('every combination of search, filters, order and page is what a scan finds, while links change', async () => {
  let n = 100_000;
  const changes = {
    insert: () => insert(20, (n += 20)),
    rename: (some: string) =>
      on.database.query(`UPDATE dynamic_links SET name = 'Renamed ' || name, updated_at = now() WHERE id IN (${some})`),
    archive: (some: string) =>
      on.database.query(`UPDATE dynamic_links SET archived = NOT archived WHERE id IN (${some})`),
    tag: (some: string) =>
      on.database.query(`UPDATE dynamic_links SET tag_ids = ARRAY['${tags.rare}'::uuid] WHERE id IN (${some})`),
    delete: (some: string) => on.database.query(`DELETE FROM dynamic_links WHERE id IN (${some})`),
    mark: (some: string) =>
      on.database.query(
        `UPDATE dynamic_links SET deleted_at = now(), ios_app_id = NULL, android_app_id = NULL WHERE id IN (${some})`,
      ),
  };
  const kinds = fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[]));
  await fc.assert(
    fc.asyncProperty(queries, places, kinds, fc.nat(1000), async (query, { page, limit }, kind, at) => {
      await changes[kind](
        `SELECT id FROM dynamic_links WHERE project_id = '${projectId}' AND deleted_at IS NULL ORDER BY created_at, id LIMIT 7 OFFSET ${at}`,
      );
      await expectRight(query, page, limit);
    }),
    runs(400),
  );
});

test('a list that exceeds its time limit says so, and not that the database is unavailable', async () => {
  await on.database.query(`
    ALTER TABLE dynamic_links RENAME TO kept_links;
    CREATE FUNCTION exceed_limit() RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN RAISE query_canceled USING MESSAGE = 'canceling statement due to statement timeout'; END $$;
    CREATE VIEW dynamic_links AS SELECT * FROM kept_links WHERE exceed_limit()`);
  atEndOfTest(() =>
    on.database.query(
      'DROP VIEW dynamic_links; DROP FUNCTION exceed_limit; ALTER TABLE kept_links RENAME TO dynamic_links',
    ),
  );
  const answer = await on.api('get', `/projects/${projectId}/links?search=sUMMER`, account.key).expect(503);
  expect(answer.body).toEqual({
    error: {
      code: 'DATABASE_ERROR',
      message: expect.stringMatching(/^This takes too long to read; search for a longer/) as string,
      details: { reason: 'too_expensive' },
    },
  });
  expect(answer.headers['retry-after']).toBeUndefined();
  expect(on.logLines.join('')).toContain('canceling statement due to statement timeout');
});
