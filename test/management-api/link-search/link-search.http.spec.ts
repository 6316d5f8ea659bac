import { Client } from 'pg';
import { LinkSearchIndex } from '../../../src/management-api/link-search/link-search-index';
import { LinkSearchRepository } from '../../../src/management-api/link-search/link-search.repository';
import { LinkSearchUpkeep } from '../../../src/management-api/link-search/link-search-upkeep';
import { searchLimits } from '../../../src/management-api/link-search/search-limits';
import { pageLimits } from '../../../src/platform/postgres/counted-pages';
import { UnitOfWork } from '../../../src/shared/unit-of-work';
import { anAndroidApp, anIosApp, aProject, aTag } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { rowsRead } from '../../support/rows-read';
import { fc, runs } from '../../support/properties';
import { scaled } from '../../support/scale';
import { aService, type TestAccount, type TestService } from '../../support/service';

const usual = { search: { ...searchLimits }, page: { ...pageLimits } };
const links = 1500;
/** One in eleven. */
const archivedLinks = Math.ceil((links - 5) / 11);

let on: TestService;
let account: TestAccount;
let projectId: string;
let iosApps: string[];
let androidApps: string[];
/** Half of the links have the first tag, and one in forty the second. */
let tags: Record<'dense' | 'rare', string>;

/** A build waits for the transactions of all databases of the server. */
const untilBuilt = () =>
  eventually(async () => {
    await upkeep().lookAndSweep();
    return (await on.database.query('SELECT FROM link_search_projects WHERE built_at IS NOT NULL')).length > 0;
  }, 600_000);

const upkeep = () => on.service.app.get(LinkSearchUpkeep, { strict: false });

beforeAll(async () => {
  Object.assign(searchLimits, { minLinks: 500, maxChanges: 40, minMatches: 30, minShare: 0, sampledLinks: 600 });
  Object.assign(pageLimits, { maxGathered: 500, minWalked: 20, maxWalked: 60 });
  on = await aService();
  account = await on.anAccount('enterprise');
  projectId = (await aProject(on, account.key)).id;
  const apps = (anApp: typeof anIosApp | typeof anAndroidApp) =>
    Promise.all([1, 2].map(async () => (await anApp(on, account.key, projectId)).id));
  iosApps = await apps(anIosApp);
  androidApps = await apps(anAndroidApp);
  const tagId = async (name: string) => (await aTag(on, account.key, projectId, { name })).id;
  tags = { dense: await tagId('dense'), rare: await tagId('rare') };
  await insert(links, 0);
  await untilBuilt();
  // Searches use the counts once a sweep has seen them.
  await upkeep().sweep();
});
afterAll(async () => {
  Object.assign(searchLimits, usual.search);
  Object.assign(pageLimits, usual.page);
  await on.stop();
});

const words = [
  'Summer',
  'summertime',
  'SALE',
  '50% off',
  'a_b',
  'back\\slash',
  "quo'te",
  'Ärger',
  'straße',
  '漢字',
  '👩‍👧',
  'e\u0301',
  'İz',
  'ΑΣ',
  'x',
];

/** Inserts links whose names and apps repeat with different periods, so that there are dense and rare combinations. */
async function insert(count: number, from: number): Promise<void> {
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id, android_app_id, created_at, archived, tag_ids)
     SELECT gen_random_uuid(), $1, ($2::text[])[1 + n % 7] || ' ' || ($2::text[])[1 + (n % 15) * (n % 15) % 15] || CASE WHEN n % 50 = 0 THEN ' zq' WHEN n % 300 = 7 THEN ' vk' WHEN n % 300 = 8 THEN ' привет ня' ELSE '' END,
       'path-' || n || substr(md5(n::text), 1, 4), ($3::uuid[])[1 + n % 3], ($4::uuid[])[1 + n % 5],
       now() - n / 3 * interval '1 minute', n % 11 = 5,
       CASE WHEN n % 2 = 0 THEN ARRAY[$7::uuid] ELSE '{}' END || CASE WHEN n % 40 = 3 THEN ARRAY[$8::uuid] ELSE '{}' END
     FROM generate_series($5::int, $5::int + $6::int - 1) n`,
    [projectId, words, iosApps, androidApps, from, count, tags.dense, tags.rare],
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

interface Answer {
  data: { id: string }[];
  pagination: { total: number };
}

async function read(query: Query & { page: number; limit: number }): Promise<Answer> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await on.api('get', `/projects/${projectId}/links?${text.toString()}`, account.key).expect(200);
  return answer.body as Answer;
}

const idOf = (name?: string): string | null => (name && tags[name.toLowerCase() as keyof typeof tags]) ?? null;

const escaped = (search: string) => search.replace(/[\\%_]/g, '\\$&');

/** Returns all ids of the list by a scan of the table. */
async function scan({
  search,
  ios_app_id,
  android_app_id,
  archived = 'false',
  tag,
  exclude_tag,
  sortBy,
  sortOrder,
}: Query): Promise<string[]> {
  const column = sortBy === 'name' ? 'name COLLATE "C"' : sortBy;
  const rows = await on.database.query<{ id: string }>(
    `SELECT id FROM dynamic_links WHERE project_id = $1 AND deleted_at IS NULL
       AND ($2::text IS NULL OR name ILIKE $2 OR custom_path ILIKE $2)
       AND ($3::uuid IS NULL OR ios_app_id = $3) AND ($4::uuid IS NULL OR android_app_id = $4)
       AND ($5 = 'any' OR archived::text = $5)
       AND ($6::uuid IS NULL OR $6 = ANY (tag_ids)) AND ($7::uuid IS NULL OR $7 <> ALL (tag_ids))
     ORDER BY ${column} ${sortOrder}, id ${sortOrder}`,
    [
      projectId,
      search ? `%${escaped(search)}%` : null,
      ios_app_id ?? null,
      android_app_id ?? null,
      archived,
      idOf(tag),
      idOf(exclude_tag),
    ],
  );
  return rows.map(({ id }) => id);
}

async function expectRight(query: Query, page: number, limit: number): Promise<void> {
  const ids = await scan(query);
  const { data, pagination } = await read({ ...query, page, limit });
  expect([query, pagination.total]).toEqual([query, ids.length]);
  expect([query, data.map(({ id }) => id)]).toEqual([query, ids.slice((page - 1) * limit, page * limit)]);
}

const searches = [
  ...[
    's',
    'su',
    'summer',
    'SUMMERTIME',
    'mer sa',
    'sale summer',
    'zq',
    ' zq',
    'qz',
    'q',
    'z',
    'Zq',
    'k',
    'path',
    'path-1',
    'h-12',
    'path-107',
    'x',
    '-',
    ' ',
  ],
  ...[
    '%',
    '_',
    '\\',
    '\\\\',
    '50%',
    '0% o',
    'a_b',
    'a%b',
    'k\\s',
    "o't",
    '"',
    "'; --",
    'ä',
    'Ä',
    'ÄRGER',
    'ß',
    'SS',
    'STRASSE',
  ],
  ...[
    '漢',
    '漢字',
    '字漢',
    '👩',
    '👩‍👧',
    '\u200d',
    'e\u0301',
    '\u0301',
    'é',
    'İ',
    'i',
    'iz',
    'ı',
    'ας',
    'ΑΣ',
    'σ',
    'ς',
    'K',
    'k',
  ],
  ...[
    'sale summertime',
    'summertime zq',
    'off zq',
    'off sale vk',
    'ärger sale',
    'sale path',
    'привет',
    'ВЕТ Н',
    'ветня',
    'ня',
    'НЯ',
    'я',
    'п',
    'sale привет',
    '漢字 привет ня',
    'İz s',
    'summertime İz',
    '👩‍👧 vk',
  ],
  ...['\u0001', '--', '!!!', '...', 'x'.repeat(200), '😀'.repeat(100), 'summer '.repeat(20)],
];

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
  page: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })),
  limit: fc.constantFrom(1, 10, 33, 100),
});

test('the project is large, and its counts are built', async () => {
  const rows = await on.database.query('SELECT built_links::int AS links FROM link_search_projects');
  expect(rows).toEqual([{ links: links - archivedLinks }]);
  expect(await on.database.query('SELECT FROM link_search_counts')).not.toHaveLength(0);
  expect(await on.database.query('SELECT FROM link_search_changes')).toHaveLength(0);
});

test.each(searches)('the search %j finds what a scan finds', async (search) => {
  await expectRight({ search, sortBy: 'created_at', sortOrder: 'desc' }, 1, 10);
  await expectRight({ search, sortBy: 'name', sortOrder: 'asc', ios_app_id: iosApps[0]! }, 2, 10);
  await expectRight({ search, sortBy: 'created_at', sortOrder: 'asc', archived: 'any' }, 1, 10);
  await expectRight({ search, sortBy: 'custom_path', sortOrder: 'asc', archived: 'true' }, 1, 10);
});

test.each([
  ['a common word', 'search=summer', 150],
  ['two letters', 'search=su', 150],
  ['a common word by name', 'search=summer&sortBy=name', 300],
  ['a text that no link contains', 'search=nosuchword', 20],
  ['two letters that no link contains', 'search=wq', 20],
  ['two letters that few links contain', 'search=vk', 600],
  ['a rare word of other letters', 'search=привет', 60],
  ['two rare letters that are not of ASCII', 'search=ня', 700],
  ['an app', 'ios_app_id=0', 60],
  ['a tag of many links', 'tag=dense', 100],
  ['a tag of few links', 'tag=rare', 100],
  ['links without a tag', 'exclude_tag=dense', 100],
  ['an app and a common word', 'ios_app_id=0&search=summer', 200],
])('a search for %s reads few rows besides its own', async (_, query, maxRows) => {
  const path = `/projects/${projectId}/links?${query.replace('=0', `=${iosApps[0]!}`)}`;
  await on.database.query('VACUUM ANALYZE dynamic_links');
  expect(await rowsRead(on, () => on.api('get', path, account.key).expect(200))).toBeLessThan(maxRows);
});

/** Lets each statement that reads the table exceed its time limit. */
async function exceedLimitAt(table: string, work: () => Promise<void>): Promise<void> {
  await on.database.query(`
    ALTER TABLE ${table} RENAME TO kept_table;
    CREATE FUNCTION exceed_limit() RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN RAISE query_canceled USING MESSAGE = 'canceling statement due to statement timeout'; END $$;
    CREATE VIEW ${table} AS SELECT * FROM kept_table WHERE exceed_limit()`);
  try {
    await work();
  } finally {
    await on.database.query(
      `DROP VIEW ${table}; DROP FUNCTION exceed_limit; ALTER TABLE kept_table RENAME TO ${table}`,
    );
  }
}

test('a list that exceeds its time limit says so, and not that the database is unavailable', () =>
  exceedLimitAt('link_search_counts', async () => {
    const answer = await on.api('get', `/projects/${projectId}/links?search=sUMMER`, account.key).expect(503);
    expect(answer.body).toEqual({
      error: {
        code: 'DATABASE_ERROR',
        message: expect.stringMatching(/^This list takes too long to read; search for a longer/) as string,
        details: { reason: 'too_expensive' },
      },
    });
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(on.logLines.join('')).toContain('canceling statement due to statement timeout');
  }));

test('a list that exceeds its time limit before the first counts says when to try again', async () => {
  const [before] = await on.database.query<{ built: string; since: string }>(
    'SELECT built_at::text AS built, all_since::text AS since FROM link_search_projects',
  );
  const set = (built: string | null, since: string) =>
    on.database.query('UPDATE link_search_projects SET built_at = $1, all_since = $2::xid8', [built, since]);
  // A build waits for the transactions before this one, which never begins.
  await set(null, '9000000000000000000');
  await upkeep().start();
  try {
    await exceedLimitAt('link_search_projects', async () => {
      const answer = await on.api('get', `/projects/${projectId}/links?search=sUMMER`, account.key).expect(503);
      expect(answer.body.error.details).toEqual({ reason: 'too_expensive', retry_after_seconds: 60 });
      expect(answer.body.error.message).toMatch(/until the texts of the project are counted; try again/);
      expect(answer.headers['retry-after']).toBeUndefined();
    });
  } finally {
    await set(before!.built, before!.since);
    await upkeep().start();
  }
});

test('a project whose apps form too many pairs is counted at each search', async () => {
  const query = { search: 'su', sortBy: 'name', sortOrder: 'asc', ios_app_id: iosApps[0]! };
  // Two apps and none, on both platforms.
  searchLimits.maxAppPairs = 8;
  try {
    await upkeep().lookAndSweep();
    for (const table of ['projects', 'counts', 'changes'])
      expect(await on.database.query(`SELECT FROM link_search_${table}`)).toEqual([]);
    await expectRight(query, 2, 10);
  } finally {
    searchLimits.maxAppPairs = 9;
    await untilBuilt();
  }
  await expectRight(query, 2, 10);
});

test('a build that is aborted changes nothing', async () => {
  const { app } = on.service;
  const index = new LinkSearchIndex(app.get(UnitOfWork), app.get(LinkSearchRepository, { strict: false }));
  const state = () =>
    on.database.query<{ builtAt: Date; counts: string }>(
      `SELECT built_at AS "builtAt", (SELECT sum(links) FROM link_search_counts) AS counts FROM link_search_projects`,
    );
  const before = await state();
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(index.build(projectId, before[0]!.builtAt, links, signal)).rejects.toThrow('stopped');
  expect(await state()).toEqual(before);
});

test('a process that knows an earlier build leaves the changes to others', async () => {
  const { app } = on.service;
  const index = new LinkSearchIndex(app.get(UnitOfWork), app.get(LinkSearchRepository, { strict: false }));
  const [before] = await on.database.query<{ builtAt: Date }>('SELECT built_at AS "builtAt" FROM link_search_projects');
  await insert(1, 50_001);
  await on.database.query("UPDATE link_search_projects SET built_at = built_at + interval '1 second'");
  const counts = () => on.database.query('SELECT * FROM link_search_counts ORDER BY 2, 3, 4');
  const countsBefore = await counts();
  const { signal } = new AbortController();
  expect(await index.fold(projectId, before!.builtAt, signal)).toBe(false);
  await index.build(projectId, before!.builtAt, links, signal);
  expect(await counts()).toEqual(countsBefore);
  expect(await on.database.query('SELECT FROM link_search_changes')).toHaveLength(1);
});

test('NUL is refused', async () => {
  await on.api('get', `/projects/${projectId}/links?search=a%00b`, account.key).expect(400);
});

test('every combination of search, filters, order and page is what a scan finds, while links change and counts are built', async () => {
  let n = 100_000;
  const change = fc.constantFrom('insert', 'rename', 'move', 'archive', 'tag', 'delete', 'mark', 'fold', 'build');
  await fc.assert(
    fc.asyncProperty(queries, places, change, fc.nat(1000), async (query, { page, limit }, kind, at) => {
      const one = `SELECT id FROM dynamic_links WHERE project_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT 7 OFFSET ${at}`;
      if (kind === 'insert') await insert(20, (n += 20));
      if (kind === 'rename')
        await on.database.query(
          `UPDATE dynamic_links SET name = 'Renamed ' || name, updated_at = now() WHERE id IN (${one})`,
          [projectId],
        );
      if (kind === 'move')
        await on.database.query(
          `UPDATE dynamic_links SET custom_path = custom_path || '-m', ios_app_id = $2, android_app_id = NULL WHERE id IN (${one})`,
          [projectId, iosApps[at % 2]],
        );
      if (kind === 'archive')
        await on.database.query(`UPDATE dynamic_links SET archived = NOT archived WHERE id IN (${one})`, [projectId]);
      if (kind === 'tag')
        await on.database.query(
          `UPDATE dynamic_links SET tag_ids = CASE WHEN $2 = ANY (tag_ids) THEN '{}' ELSE ARRAY[$2] END WHERE id IN (${one})`,
          [projectId, tags[at % 3 ? 'dense' : 'rare']],
        );
      if (kind === 'delete') await on.database.query(`DELETE FROM dynamic_links WHERE id IN (${one})`, [projectId]);
      if (kind === 'mark')
        await on.database.query(
          `UPDATE dynamic_links SET deleted_at = now(), ios_app_id = NULL, android_app_id = NULL WHERE id IN (${one})`,
          [projectId],
        );
      if (kind === 'fold') await upkeep().sweep();
      if (kind === 'build') {
        if (at % 4 === 0) await on.database.query('UPDATE link_search_projects SET built_links = 1');
        await upkeep().lookAndSweep();
      }
      await expectRight(query, page, limit);
    }),
    runs(400),
  );
});

test('totals are right at every moment while links change in pairs and counts are built', async () => {
  const iosApp = iosApps[1]!;
  const otherPaths = (await scan({ search: 'pa', sortBy: 'name', sortOrder: 'asc', ios_app_id: iosApp })).length;
  const client = new Client({ connectionString: on.database.url });
  await client.connect();
  let running = true;
  const repeat = async (work: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; running; round++) await work(round);
  };
  const writer = repeat(async (round) => {
    const paths = [0, 1].map((n) => `r${round}-${n}`);
    await client.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id)
       SELECT gen_random_uuid(), $1, 'Pairwise', path, $3 FROM unnest($2::text[]) AS path`,
      [projectId, paths, iosApp],
    );
    const ofPair = 'project_id = $1 AND custom_path = ANY ($2)';
    if (round % 3 === 0)
      await client.query(`UPDATE dynamic_links SET name = 'Unpaired' WHERE ${ofPair}`, [projectId, paths]);
    if (round % 3 === 1) await client.query(`DELETE FROM dynamic_links WHERE ${ofPair}`, [projectId, paths]);
  });
  const upkeeper = repeat(async (round) => {
    if (round % 5 === 0) await client.query('UPDATE link_search_projects SET built_links = 1');
    await upkeep().lookAndSweep();
  });
  const totals = { pairwise: 0, pa: 0, unpaired: 0 };
  const readers = Object.keys(totals).map(async (search, at) => {
    for (let round = 0; round < scaled(200); round++) {
      const query = { search, sortBy: ['created_at', 'name'][at % 2]!, sortOrder: 'desc', ios_app_id: iosApp };
      const { pagination } = await read({ ...query, page: 1, limit: 5 });
      // Other links whose name or path contains "pa" do not change meanwhile.
      const others = search === 'pa' ? otherPaths : 0;
      expect([search, (pagination.total - others) % 2]).toEqual([search, 0]);
      totals[search as keyof typeof totals] = Math.max(totals[search as keyof typeof totals], pagination.total);
    }
  });
  await Promise.all(readers).finally(() => (running = false));
  await Promise.all([writer, upkeeper]);
  await client.end();
  expect(Math.min(...Object.values(totals))).toBeGreaterThan(0);
});
