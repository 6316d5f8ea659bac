import type { SignpostClient } from '../../clients/typescript/src/index';
import { anIosApp, aProject } from '../support/builders';
import { aClient } from '../support/client';
import { byCodePoint } from '../support/content';
import { problem } from '../support/problem';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
let path: { projectId: string };
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  client = aClient(on, account.key);
  path = { projectId: (await aProject(on, account.key)).id };
  // Seven apps with three names and three moments, so that most orders have ties.
  await on.database.query(
    `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id, created_at, updated_at)
     SELECT gen_random_uuid(), $1, (ARRAY['Émile', 'zoo', 'Zoo'])[1 + n % 3], 'com.Example.' || chr(65 + n * 37 % 58 % 26) || n,
            'ABCDE12345', timestamptz '2026-01-01' + n % 3 * interval '1 day', timestamptz '2026-02-01' - n % 2 * interval '1 day'
     FROM generate_series(1, 7) n`,
    [path.projectId],
  );
  await anIosApp(on, account.key, (await aProject(on, account.key)).id);
});
afterAll(() => on.stop());

const listed = async (query: Parameters<typeof request>[0]) => (await request(query)).data!;
const request = (query: {
  page?: number;
  limit?: number;
  search?: string;
  sortBy?: 'name' | 'bundle_id' | 'created_at' | 'updated_at';
  sortOrder?: 'asc' | 'desc';
}) => client.GET('/projects/{projectId}/ios-apps', { params: { path, query } });

test.each(
  (['name', 'bundle_id', 'created_at', 'updated_at'] as const).flatMap((key) =>
    (['asc', 'desc'] as const).map((order) => [key, order] as const),
  ),
)('sorted by %s %s, ties by id, and pages partition the list', async (sortBy, sortOrder) => {
  const whole = (await listed({ sortBy, sortOrder, limit: 100 })).data;
  const direction = sortOrder === 'asc' ? 1 : -1;
  const sorted = whole.toSorted((a, b) => direction * (byCodePoint(a[sortBy], b[sortBy]) || byCodePoint(a.id, b.id)));
  expect(whole).toHaveLength(7);
  expect(whole).toEqual(sorted);
  const pages = [];
  for (const page of [1, 2, 3]) pages.push(...(await listed({ sortBy, sortOrder, page, limit: 3 })).data);
  expect(pages).toEqual(whole);
});

test('newest first unless asked otherwise', async () => {
  expect((await listed({})).data).toEqual((await listed({ sortBy: 'created_at', sortOrder: 'desc' })).data);
});

test.each([
  [{ page: 1, limit: 3 }, 3, { totalPages: 3, hasNextPage: true, hasPreviousPage: false }],
  [{ page: 3, limit: 3 }, 1, { totalPages: 3, hasNextPage: false, hasPreviousPage: true }],
  [{ page: 1, limit: 7 }, 7, { totalPages: 1, hasNextPage: false, hasPreviousPage: false }],
  [{ page: 4, limit: 3 }, 0, { totalPages: 3, hasNextPage: false, hasPreviousPage: true }],
  [{ page: 9007199254740991, limit: 100 }, 0, { totalPages: 1, hasNextPage: false, hasPreviousPage: true }],
])('page %j', async (asked, count, pagination) => {
  const page = await listed(asked);
  expect(page.data).toHaveLength(count);
  expect(page.pagination).toEqual({ ...asked, total: 7, ...pagination });
});

test('a project without apps has an empty list', async () => {
  const { id: projectId } = await aProject(on, account.key);
  const empty = await client.GET('/projects/{projectId}/ios-apps', { params: { path: { projectId } } });
  expect(empty.data).toEqual({
    data: [],
    pagination: { page: 1, limit: 10, total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false },
  });
});

describe('search', () => {
  const names = ['Shop 100% off', 'Shop 1000 off', 'under_score', 'underscore', 'back\\slash', 'Grüße 😀'];
  beforeAll(async () => {
    path = { projectId: (await aProject(on, account.key)).id };
    for (const [at, name] of names.entries())
      await anIosApp(on, account.key, path.projectId, { name, bundle_id: `com.Example.Number-${at}` });
  });

  test.each([
    ['shop', [0, 1]],
    ['SHOP 1', [0, 1]],
    ['100%', [0]],
    ['r_s', [2]],
    ['\\', [4]],
    ['grÜSSE', []],
    ['grÜß', [5]],
    ['😀', [5]],
    ['number-3', [3]],
    ['.EXAMPLE.', [0, 1, 2, 3, 4, 5]],
    ['ABCDE12345', []],
    ['', [0, 1, 2, 3, 4, 5]],
    [' ', [0, 1, 5]],
    ["'", []],
  ])('%j finds %j', async (search, found) => {
    const page = await listed({ search, sortBy: 'bundle_id', sortOrder: 'asc' });
    expect(page.data.map(({ name }) => name)).toEqual(found.map((at) => names[at]));
    expect(page.pagination.total).toBe(found.length);
  });
});

test.each([
  ['page=0', 'too_small', 'page'],
  ['page=-1', 'too_small', 'page'],
  ['page=1.5', 'invalid_type', 'page'],
  ['page=', 'invalid_type', 'page'],
  ['page=9007199254740993', 'too_big', 'page'],
  ['page=1&page=2', 'invalid_type', 'page'],
  ['limit=0', 'too_small', 'limit'],
  ['limit=101', 'too_big', 'limit'],
  ['sortBy=team_id', 'invalid_enum_value', 'sortBy'],
  ['sortBy=package_name', 'invalid_enum_value', 'sortBy'],
  ['sortOrder=ASC', 'invalid_enum_value', 'sortOrder'],
  ['search=%00', 'invalid_format', 'search'],
  ['ios_app_id=x', 'unrecognized_key', 'ios_app_id'],
] as const)('?%s is refused', async (query, code, field) => {
  const response = await on.api('get', `/projects/${path.projectId}/ios-apps?${query}`, account.key);
  expect(response).toBeRefusedWith('INVALID_INPUT', [problem(code, field)]);
});
