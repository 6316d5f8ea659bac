import { aDynamicLink, aProject } from '../../support/builders';
import { rowsRead } from '../../support/rows-read';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { statementsOf } from '../../support/statements';

/** Enough for pages that are reached from anchors. */
const total = 6000;
const limit = 100;

let on: TestService;
let account: TestAccount;
let projectId: string;
let linkId: string;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  projectId = (await aProject(on, account.key)).id;
  linkId = (await aDynamicLink(on, account.key, projectId, { name: 'First', custom_path: 'first' })).id;
  // Ties of names and times run over the ends of pages.
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, created_at)
     SELECT gen_random_uuid(), $1, 'Campaign ' || n % 1000, 'path-' || n, now() - n / 7 * interval '1 minute'
     FROM generate_series(1, $2::int) n`,
    [projectId, total],
  );
  await on.database.query(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source, created_at)
     SELECT gen_random_uuid(), $1, $2, 's' || n, 'api', now() - n / 7 * interval '1 minute' FROM generate_series(1, $3::int) n`,
    [projectId, linkId, total],
  );
  await on.database.query('VACUUM ANALYZE dynamic_links, short_links');
});
afterAll(() => on.stop());

interface Page {
  data: { id: string }[];
  pagination: { total: number };
}

async function pageOf(list: string, query: string, page: number): Promise<Page> {
  const path = `/projects/${projectId}/${list}?${query}&limit=${limit}&page=${page}`;
  const answer = await on.api('get', path, account.key).expect(200);
  return answer.body as Page;
}

/** Expects the pages in this order to be those of the SQL statement at this moment. */
async function expectPages(list: string, query: string, sql: string, pages: number[]): Promise<void> {
  const ids = (await on.database.query<{ id: string }>(sql, [projectId])).map(({ id }) => id);
  for (const page of pages) {
    const { data, pagination } = await pageOf(list, query, page);
    expect([page, data.map(({ id }) => id)]).toEqual([page, ids.slice((page - 1) * limit, page * limit)]);
    expect(pagination.total).toBe(ids.length);
  }
}

const pages = [30, 2, 61, 60, 59, 31, 17, 45, 44, 46, 30, 62, 99, 3, 58];

const links = 'SELECT id FROM dynamic_links WHERE project_id = $1';
const shortLinks = 'SELECT id FROM short_links WHERE project_id = $1';

const lists: [list: string, query: string, sql: string][] = [
  ...(['created_at', 'updated_at', 'custom_path', 'name'] as const).flatMap((column): [string, string, string][] =>
    (['asc', 'desc'] as const).map((order) => [
      'links',
      `sortBy=${column}&sortOrder=${order}`,
      `${links} ORDER BY ${column === 'name' ? 'name COLLATE "C"' : column} ${order}, id ${order}`,
    ]),
  ),
  [
    'links',
    'search=campaign&sortBy=name',
    `${links} AND name ILIKE '%campaign%' ORDER BY name COLLATE "C" DESC, id DESC`,
  ],
  ['short-links', '', `${shortLinks} ORDER BY created_at DESC, id DESC`],
];

test.each(lists)('deep pages of %s?%s partition the list, also after changes', async (list, query, sql) => {
  await expectPages(list, query, sql, pages);
  const changes = [
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, created_at)
     VALUES (gen_random_uuid(), $1, 'Campaign 500a', 'path-3000a' || random(), now() - interval '500 minutes')`,
    `DELETE FROM dynamic_links WHERE id IN (${links} AND name = 'Campaign 7' ORDER BY created_at, id LIMIT 1)`,
    `UPDATE dynamic_links SET name = 'Campaign 0', updated_at = now()
     WHERE id IN (${links} AND name = 'Campaign 900' ORDER BY created_at, id LIMIT 1)`,
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source, created_at)
     SELECT gen_random_uuid(), $1, id, 'x' || left(gen_random_uuid()::text, 12), 'api', now() - interval '400 minutes'
     FROM dynamic_links WHERE project_id = $1 AND custom_path = 'first'`,
    `DELETE FROM short_links WHERE id IN (${shortLinks} ORDER BY created_at, id LIMIT 1)`,
  ];
  for (const change of changes) {
    await on.database.query(change, [projectId]);
    await expectPages(list, query, sql, [30, 31, 45]);
  }
});

test('deep pages of short links of one dynamic link partition the list', async () => {
  await expectPages(
    'short-links',
    `dynamic_link_id=${linkId}`,
    `${shortLinks} ORDER BY created_at DESC, id DESC`,
    pages,
  );
});

test('a page of a known list takes one statement, and no count', async () => {
  await pageOf('links', '', 30);
  const statements = await statementsOf(on, () => pageOf('links', '', 31));
  const reads = statements.filter((sql) => sql.includes('FROM dynamic_links'));
  expect(reads).toHaveLength(1);
  expect(reads[0]).not.toContain('count(*)');
});

test.each(['links', 'short-links'])('a deep page of %s reads few rows besides its own', async (list) => {
  await pageOf(list, '', 30);
  expect(await rowsRead(on, () => pageOf(list, '', 33))).toBeLessThan(1500);
});
