import { randomUUID } from 'node:crypto';
import { aProject, type ProjectBody, unique } from '../support/builders';
import { byCodePoint } from '../support/content';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
});
afterAll(() => on.stop());

type Listed = ProjectBody & { _count: { dynamic_links: number } };

const listOf = async (key: string, query: string) => {
  const response = await on.api('get', `/projects?${query}`, key).expect(200);
  return response.body as { data: Listed[]; pagination: Record<string, unknown> };
};

/** Rows as they are after an import: many at one moment. */
async function projectsAt(
  owner: TestAccount,
  rows: { name?: string; subdomain?: string; at?: string }[],
): Promise<void> {
  for (const { name = 'A project', subdomain = unique('l'), at = '2024-01-01' } of rows)
    await on.database.query(
      `INSERT INTO projects (id, account_id, user_id, name, subdomain, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      [randomUUID(), owner.accountId, owner.userId, name, subdomain, at],
    );
}

describe('pages', () => {
  let owner: TestAccount;
  beforeAll(async () => {
    owner = await on.anAccount();
    await projectsAt(
      owner,
      Array.from({ length: 23 }, (_, at) => ({ name: at % 3 ? 'Same' : 'Other', at: `2024-01-0${1 + (at % 2)}` })),
    );
  });

  async function expectPartition(sortBy: string, sortOrder: string, limit: number): Promise<void> {
    const all: Listed[] = [];
    const totalPages = Math.ceil(23 / limit);
    for (let page = 1; page <= totalPages; page++) {
      const body = await listOf(owner.key, `sortBy=${sortBy}&sortOrder=${sortOrder}&limit=${limit}&page=${page}`);
      expect(body.pagination).toEqual({
        page,
        limit,
        total: 23,
        totalPages,
        hasNextPage: page < totalPages,
        hasPreviousPage: page > 1,
      });
      all.push(...body.data);
    }
    const column = sortBy as 'name';
    const direction = sortOrder === 'asc' ? 1 : -1;
    const inOrder = [...all].sort(
      (one, other) => direction * (byCodePoint(one[column], other[column]) || byCodePoint(one.id, other.id)),
    );
    expect(all.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
    expect(new Set(all.map(({ id }) => id)).size).toBe(23);
  }

  test.each(
    ['created_at', 'updated_at', 'name', 'subdomain'].flatMap((sortBy) =>
      ['asc', 'desc'].flatMap((sortOrder) => [1, 5, 23, 100].map((limit) => [sortBy, sortOrder, limit] as const)),
    ),
  )('by %s %s, %d a page, are the whole list in its order, ties and all', expectPartition);

  test('are that without the indexes too, when the database sorts by itself', async () => {
    for (const order of ['created_at', 'updated_at', 'name', 'subdomain'])
      await on.database.query(`DROP INDEX projects_by_${order}`);
    for (const sortOrder of ['asc', 'desc'])
      for (const sortBy of ['created_at', 'updated_at', 'name', 'subdomain'])
        await expectPartition(sortBy, sortOrder, 4);
  });

  test('are of ten, the newest first, unless the caller says otherwise', async () => {
    const plain = await listOf(owner.key, '');
    expect(plain).toEqual(await listOf(owner.key, 'page=1&limit=10&sortBy=created_at&sortOrder=desc'));
    expect(plain.data).toHaveLength(10);
  });

  test.each(['4', '100', '9007199254740991'])('page %s is past the end and empty', async (page) => {
    expect(await listOf(owner.key, `page=${page}`)).toEqual({
      data: [],
      pagination: {
        page: Number(page),
        limit: 10,
        total: 23,
        totalPages: 3,
        hasNextPage: false,
        hasPreviousPage: true,
      },
    });
    expect((await listOf(owner.key, `page=${page}&limit=100&sortBy=name`)).data).toEqual([]);
  });

  test('of no projects are none', async () => {
    const { key } = await on.anAccount();
    expect(await listOf(key, 'limit=100')).toEqual({
      data: [],
      pagination: { page: 1, limit: 100, total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false },
    });
  });
});

test('text is sorted by code point, upper case before lower, astral characters last', async () => {
  const owner = await on.anAccount();
  const names = ['b', 'a', 'B', 'É', 'é', 'ä', 'z', 'Z', ' ', '0', '_', '-', '～', '😀', 'a b', 'a-b', 'ab'];
  await projectsAt(
    owner,
    names.map((name) => ({ name })),
  );
  const sorted = [...names].sort(byCodePoint);
  expect((await listOf(owner.key, 'sortBy=name&sortOrder=asc&limit=100')).data.map(({ name }) => name)).toEqual(sorted);
  expect((await listOf(owner.key, 'sortBy=name&sortOrder=desc&limit=100')).data.map(({ name }) => name)).toEqual(
    sorted.reverse(),
  );
});

describe('search', () => {
  let owner: TestAccount;
  const names = [
    '100% off',
    '100 off',
    'a_b',
    'axb',
    String.raw`back\slash`,
    'backslash',
    'CAFÉ',
    'café',
    'cafe',
    'ПРИВЕТ',
    '日本 😀',
    "it's",
    'x\ny',
    'ends\\',
  ];
  beforeAll(async () => {
    owner = await on.anAccount();
    await projectsAt(owner, [...names.map((name) => ({ name })), { name: 'Plain', subdomain: 'found-by-subdomain' }]);
  });

  test.each([
    ['%', ['100% off']],
    ['0%', ['100% off']],
    ['_', ['a_b']],
    ['a_b', ['a_b']],
    ['\\', [String.raw`back\slash`, 'ends\\']],
    ['s\\', ['ends\\']],
    ['k\\s', [String.raw`back\slash`]],
    ['\\%', []],
    ['%%', []],
    ['CAFE', ['cafe']],
    ['café', ['CAFÉ', 'café']],
    ['É', ['CAFÉ', 'café']],
    ['привет', ['ПРИВЕТ']],
    ['ИВ', ['ПРИВЕТ']],
    ['😀', ['日本 😀']],
    ['本 ', ['日本 😀']],
    ["'", ["it's"]],
    ['x\ny', ['x\ny']],
    ['FOUND-BY-SUB', ['Plain']],
    ['-by-', ['Plain']],
    ['*', []],
    ['.', []],
    ['nothing like it', []],
    ['x'.repeat(5000), []],
  ])('%j', async (search, found) => {
    const body = await listOf(owner.key, `limit=100&search=${encodeURIComponent(search)}`);
    expect(body.data.map(({ name }) => name).sort(byCodePoint)).toEqual([...found].sort(byCodePoint));
    expect(body.pagination['total']).toBe(found.length);
  });

  test('of nothing finds everything', async () => {
    expect((await listOf(owner.key, 'search=&limit=100')).data).toHaveLength(names.length + 1);
  });

  test('a plus sign is a space, as in every query string', async () => {
    expect((await listOf(owner.key, 'search=100+OFF')).data.map(({ name }) => name)).toEqual(['100 off']);
  });

  test('stays inside the account', async () => {
    const { key } = await on.anAccount();
    expect((await listOf(key, 'search=a')).pagination['total']).toBe(0);
  });

  test('is paged like the list', async () => {
    const [first, second] = [
      await listOf(owner.key, 'search=a&limit=4'),
      await listOf(owner.key, 'search=a&limit=4&page=2'),
    ];
    expect(first.pagination).toMatchObject({ total: second.pagination['total'], hasNextPage: true });
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(
      first.data.length + second.data.length,
    );
  });
});

describe('a query that is refused', () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await on.anAccount());
    await aProject(on, key);
  });

  test.each([
    ['page=0', 'page', 'too_small'],
    ['page=-1', 'page', 'too_small'],
    ['page=1.5', 'page', 'invalid_type'],
    ['page=1e3', 'page', 'invalid_type'],
    ['page=0x10', 'page', 'invalid_type'],
    ['page=abc', 'page', 'invalid_type'],
    ['page=', 'page', 'invalid_type'],
    ['page', 'page', 'invalid_type'],
    ['page=+1', 'page', 'invalid_type'],
    ['page=%201', 'page', 'invalid_type'],
    ['page=%D9%A1', 'page', 'invalid_type'],
    ['page=99999999999999999999', 'page', 'too_big'],
    ['page=9007199254740992', 'page', 'too_big'],
    [`page=${'9'.repeat(400)}`, 'page', 'too_big'],
    ['page=1&page=2', 'page', 'invalid_type'],
    ['page[]=1', 'page[]', 'unrecognized_key'],
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_big'],
    ['limit=-5', 'limit', 'too_small'],
    ['limit=ten', 'limit', 'invalid_type'],
    ['limit=10&limit=10', 'limit', 'invalid_type'],
    ['sortBy=id', 'sortBy', 'invalid_enum_value'],
    ['sortBy=custom_path', 'sortBy', 'invalid_enum_value'],
    ['sortBy=NAME', 'sortBy', 'invalid_enum_value'],
    ['sortBy=', 'sortBy', 'invalid_enum_value'],
    ['sortBy=name;DROP%20TABLE%20projects', 'sortBy', 'invalid_enum_value'],
    ['sortBy=__proto__', 'sortBy', 'invalid_enum_value'],
    ['sortBy=name&sortBy=name', 'sortBy', 'invalid_type'],
    ['sortOrder=up', 'sortOrder', 'invalid_enum_value'],
    ['sortOrder=ASC', 'sortOrder', 'invalid_enum_value'],
    ['search=%00', 'search', 'invalid_format'],
    ['search=a%00b', 'search', 'invalid_format'],
    ['search=a&search=b', 'search', 'invalid_type'],
    ['sort=name', 'sort', 'unrecognized_key'],
    ['Page=1', 'Page', 'unrecognized_key'],
    ['ios_app_id=1', 'ios_app_id', 'unrecognized_key'],
    ['__proto__=1', '__proto__', 'unrecognized_key'],
    ['constructor=1', 'constructor', 'unrecognized_key'],
    ['=1', '', 'unrecognized_key'],
  ])('%s', async (query, parameter, code) => {
    expect(await on.api('get', `/projects?${query}`, key)).toBeRefusedWith('INVALID_INPUT', [
      { code, path: [parameter], message: expect.any(String) },
    ]);
  });

  test('has a detail for each broken parameter', async () => {
    expect(await on.api('get', '/projects?page=0&limit=x&sortBy=id&sortOrder=up', key)).toBeRefusedWith(
      'INVALID_INPUT',
      expect.arrayContaining(
        [
          ['page', 'too_small'],
          ['limit', 'invalid_type'],
          ['sortBy', 'invalid_enum_value'],
          ['sortOrder', 'invalid_enum_value'],
        ].map(([parameter, code]) => ({ code, path: [parameter], message: expect.any(String) })),
      ),
    );
  });
});

test.each(['1', '100'])('a limit of %s is fine', async (limit) => {
  const { key } = await on.anAccount();
  expect((await listOf(key, `limit=${limit}`)).pagination['limit']).toBe(Number(limit));
});
