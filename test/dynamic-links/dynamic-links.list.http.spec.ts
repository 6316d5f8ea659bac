import { randomUUID } from 'node:crypto';
import { aDynamicLink, aProject, type LinkBody, unique } from '../support/builders';
import { byCodePoint } from '../support/content';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let owner: TestAccount;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
});
afterAll(() => on.stop());

const listOf = async (projectId: string, query: string) => {
  const response = await on.api('get', `/projects/${projectId}/links?${query}`, owner.key).expect(200);
  return response.body as { data: LinkBody[]; pagination: Record<string, unknown> };
};

/** A project with rows as they are after an import: many at one moment. */
async function aProjectWith(
  links: { name?: string; path?: string; at?: string; updatedAt?: string }[],
): Promise<string> {
  const { id } = await aProject(on, owner.key);
  for (const { name = 'A link', path = unique('l'), at = '2024-01-01', updatedAt = at } of links)
    await on.database.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [randomUUID(), id, name, path, at, updatedAt],
    );
  return id;
}

describe('pages', () => {
  let projectId: string;
  beforeAll(async () => {
    const paths = ['b', 'a', 'B', 'A', '0', 'a-', 'a.', 'a/b', 'a_', 'a~', 'ab', 'Z', 'z', 'zz', '9', 'a0', 'aA'];
    projectId = await aProjectWith(
      paths.map((path, at) => ({
        path,
        name: ['Same', 'Other', 'é', '😀', '～'][at % 5]!,
        at: `2024-01-0${1 + (at % 3)}`,
        updatedAt: `2024-02-0${1 + (at % 2)}`,
      })),
    );
  });

  async function expectPartition(sortBy: string, sortOrder: string, limit: number): Promise<void> {
    const all: LinkBody[] = [];
    const totalPages = Math.ceil(17 / limit);
    for (let page = 1; page <= totalPages; page++) {
      const body = await listOf(projectId, `sortBy=${sortBy}&sortOrder=${sortOrder}&limit=${limit}&page=${page}`);
      expect(body.pagination).toEqual({
        page,
        limit,
        total: 17,
        totalPages,
        hasNextPage: page < totalPages,
        hasPreviousPage: page > 1,
      });
      all.push(...body.data);
    }
    const direction = sortOrder === 'asc' ? 1 : -1;
    const inOrder = [...all].sort(
      (one, other) =>
        direction * (byCodePoint(String(one[sortBy]), String(other[sortBy])) || byCodePoint(one.id, other.id)),
    );
    expect(all.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
    expect(new Set(all.map(({ id }) => id)).size).toBe(17);
  }

  test.each(
    ['created_at', 'updated_at', 'name', 'custom_path'].flatMap((sortBy) =>
      ['asc', 'desc'].flatMap((sortOrder) => [1, 4, 17, 100].map((limit) => [sortBy, sortOrder, limit] as const)),
    ),
  )('by %s %s, %d a page, are the whole list in its order, ties and all', expectPartition);

  test('are that without the indexes too, when the database sorts by itself', async () => {
    for (const order of ['created_at', 'updated_at', 'name', 'custom_path'])
      await on.database.query(`DROP INDEX dynamic_links_by_${order}`);
    for (const sortOrder of ['asc', 'desc'])
      for (const sortBy of ['created_at', 'updated_at', 'name', 'custom_path'])
        await expectPartition(sortBy, sortOrder, 4);
  });

  test('are of ten, the newest first, unless the caller says otherwise', async () => {
    const plain = await listOf(projectId, '');
    expect(plain).toEqual(await listOf(projectId, 'page=1&limit=10&sortBy=created_at&sortOrder=desc'));
    expect(plain.data).toHaveLength(10);
  });

  test('are cut from what a search and a filter leave', async () => {
    const [first, second] = [
      await listOf(projectId, 'search=a&limit=6&sortBy=custom_path&sortOrder=asc'),
      await listOf(projectId, 'search=a&limit=6&sortBy=custom_path&sortOrder=asc&page=2'),
    ];
    const found = [...first.data, ...second.data].map(({ custom_path, name }) => ({ custom_path, name: String(name) }));
    const paths = found.map(({ custom_path }) => custom_path);
    expect(paths).toEqual([...paths].sort(byCodePoint));
    expect(found.every(({ custom_path, name }) => `${custom_path} ${name}`.toLowerCase().includes('a'))).toBe(true);
    expect(first.pagination).toEqual({
      page: 1,
      limit: 6,
      total: found.length,
      totalPages: 2,
      hasNextPage: true,
      hasPreviousPage: false,
    });
  });

  test.each(['3', '9007199254740991'])('page %s is past the end and empty', async (page) => {
    expect(await listOf(projectId, `page=${page}`)).toEqual({
      data: [],
      pagination: {
        page: Number(page),
        limit: 10,
        total: 17,
        totalPages: 2,
        hasNextPage: false,
        hasPreviousPage: true,
      },
    });
    expect((await listOf(projectId, `page=${page}&limit=100&search=a&sortBy=name`)).data).toEqual([]);
  });

  test('of no links are none', async () => {
    const { id } = await aProject(on, owner.key);
    expect(await listOf(id, '')).toEqual({
      data: [],
      pagination: { page: 1, limit: 10, total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false },
    });
  });
});

describe('search', () => {
  let projectId: string;
  const names = [
    '100% off',
    '100 off',
    'a_b',
    'axb',
    String.raw`back\slash`,
    'ends\\',
    'CAFÉ',
    'café',
    'cafe',
    'Größe',
    '日本 😀',
  ];
  beforeAll(async () => {
    projectId = await aProjectWith([
      ...names.map((name, at) => ({ name, path: `7${at}` })),
      { name: 'By path', path: 'Summer/Sale_1.x~y' },
    ]);
    const sibling = await aProjectWith([{ name: 'café', path: 'summer' }]);
    expect(sibling).not.toBe(projectId);
  });

  test.each([
    ['%', ['100% off']],
    ['_b', ['a_b']],
    ['\\', [String.raw`back\slash`, 'ends\\']],
    ['s\\', ['ends\\']],
    ['\\_', []],
    ['É', ['CAFÉ', 'café']],
    ['café', ['CAFÉ', 'café']],
    ['GRÖ', ['Größe']],
    ['😀', ['日本 😀']],
    ['SUMMER', ['By path']],
    ['r/s', ['By path']],
    ['sale_1', ['By path']],
    ['1.X~Y', ['By path']],
    ['e_1_x', []],
    ['no such thing', []],
  ])('%j', async (search, found) => {
    const body = await listOf(projectId, `limit=100&search=${encodeURIComponent(search)}`);
    expect(body.data.map(({ name }) => String(name)).sort(byCodePoint)).toEqual([...found].sort(byCodePoint));
    expect(body.pagination['total']).toBe(found.length);
  });

  test('of nothing finds everything', async () => {
    expect((await listOf(projectId, 'search=')).pagination['total']).toBe(names.length + 1);
  });
});

describe('filters', () => {
  test.each(['ios_app_id', 'android_app_id'])('%s that nothing has matches nothing', async (filter) => {
    const { id } = await aProject(on, owner.key);
    await aDynamicLink(on, owner.key, id);
    for (const app of [randomUUID(), randomUUID().toUpperCase(), id])
      expect(await listOf(id, `${filter}=${app}`)).toEqual({
        data: [],
        pagination: { page: 1, limit: 10, total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false },
      });
  });

  test.each(['ios_app_id', 'android_app_id'])('%s narrows a search', async (filter) => {
    const { id } = await aProject(on, owner.key);
    const link = await aDynamicLink(on, owner.key, id, { name: 'Found' });
    expect((await listOf(id, 'search=found')).data.map((found) => found.id)).toEqual([link.id]);
    expect((await listOf(id, `search=found&${filter}=${randomUUID()}`)).data).toEqual([]);
  });
});

describe('a query that is refused', () => {
  let projectId: string;
  beforeAll(async () => {
    projectId = await aProjectWith([{}]);
  });

  test.each([
    ['page=0', 'page', 'too_small'],
    ['page=-1', 'page', 'too_small'],
    ['page=1.5', 'page', 'invalid_type'],
    ['page=abc', 'page', 'invalid_type'],
    ['page=', 'page', 'invalid_type'],
    ['page=99999999999999999999', 'page', 'too_big'],
    ['page=1&page=2', 'page', 'invalid_type'],
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_big'],
    ['limit=1&limit=1', 'limit', 'invalid_type'],
    ['sortBy=subdomain', 'sortBy', 'invalid_enum_value'],
    ['sortBy=custom_path%20--', 'sortBy', 'invalid_enum_value'],
    ['sortOrder=DESC', 'sortOrder', 'invalid_enum_value'],
    ['search=%00', 'search', 'invalid_format'],
    ['search=a&search=a', 'search', 'invalid_type'],
    ['ios_app_id=', 'ios_app_id', 'invalid_format'],
    ['ios_app_id=nonsense', 'ios_app_id', 'invalid_format'],
    ['ios_app_id=null', 'ios_app_id', 'invalid_format'],
    [`ios_app_id=${randomUUID().replaceAll('-', '')}`, 'ios_app_id', 'invalid_format'],
    [`ios_app_id=%7B${randomUUID()}%7D`, 'ios_app_id', 'invalid_format'],
    [`ios_app_id=${randomUUID()}&ios_app_id=${randomUUID()}`, 'ios_app_id', 'invalid_type'],
    ['android_app_id=nonsense', 'android_app_id', 'invalid_format'],
    ['dynamic_link_id=1', 'dynamic_link_id', 'unrecognized_key'],
    ['project_id=1', 'project_id', 'unrecognized_key'],
    ['__proto__=1', '__proto__', 'unrecognized_key'],
  ])('%s', async (query, parameter, code) => {
    expect(await on.api('get', `/projects/${projectId}/links?${query}`, owner.key)).toBeRefusedWith('INVALID_INPUT', [
      { code, path: [parameter], message: expect.any(String) },
    ]);
  });
});

test.each(['1', '100'])('a limit of %s is fine', async (limit) => {
  const projectId = await aProjectWith([{}]);
  expect((await listOf(projectId, `limit=${limit}`)).pagination['limit']).toBe(Number(limit));
});
