import { ApiKeysService } from '../../src/management-api/api-keys/api-keys.service';
import type { SignpostClient } from '../../clients/typescript/src/index';
import { aDynamicLink, aProject, aShortLink, type ProjectBody, unique, unknownId } from '../support/builders';
import { aClient } from '../support/client';
import { byCodePoint, changingNothing, untilPurged } from '../support/content';
import { problem } from '../support/problem';
import { eventually } from '../support/eventually';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
let project: ProjectBody;
let linkId: string;
let path: { projectId: string };
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  client = aClient(on, account.key);
  project = await aProject(on, account.key);
  path = { projectId: project.id };
  linkId = (await aDynamicLink(on, account.key, project.id)).id;
});
afterAll(() => on.stop());

const create = (body: { dynamic_link_id: string; slug?: string }, projectId = project.id) =>
  client.POST('/projects/{projectId}/short-links', { params: { path: { projectId } }, body });

test('a short link is created, read, listed and deleted', async () => {
  const own = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, own.id);
  const created = await create({ dynamic_link_id: link.id.toUpperCase(), slug: 'sale' }, own.id);
  const { id } = created.data!.data;
  expect(created.response.status).toBe(201);
  expect(created.response.headers.get('location')).toBe(
    `http://localhost:3000/api/v1/projects/${own.id}/short-links/${id}`,
  );
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(created.data).toEqual({
    data: {
      id,
      project_id: own.id,
      dynamic_link_id: link.id,
      slug: 'sale',
      short_url: `http://${own.subdomain}.localhost:3000/sale`,
      source: 'api',
      created_by: account.userId,
      created_by_api_key_id: account.apiKeyId,
      created_at: moment,
      updated_at: moment,
    },
  });

  const params = { path: { projectId: own.id, shortLinkId: id } };
  expect((await client.GET('/projects/{projectId}/short-links/{shortLinkId}', { params })).data).toEqual(created.data);
  const listed = await client.GET('/projects/{projectId}/short-links', { params: { path: { projectId: own.id } } });
  expect(listed.data).toEqual({
    data: [created.data!.data],
    pagination: { page: 1, limit: 10, total: 1, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
  });

  const deleted = await client.DELETE('/projects/{projectId}/short-links/{shortLinkId}', { params });
  expect([deleted.response.status, deleted.data]).toEqual([200, { data: { message: 'Short link deleted' } }]);
  expect(await client.GET('/projects/{projectId}/short-links/{shortLinkId}', { params })).toBeRefusedWith('NOT_FOUND');
  expect(await client.DELETE('/projects/{projectId}/short-links/{shortLinkId}', { params })).toBeRefusedWith(
    'NOT_FOUND',
  );
  const after = await client.GET('/projects/{projectId}/short-links', { params: { path: { projectId: own.id } } });
  expect(after.data!.pagination.total).toBe(0);
});

test.each([
  ['put', '/{id}', 'GET, HEAD, DELETE'],
  ['patch', '/{id}', 'GET, HEAD, DELETE'],
  ['post', '/{id}', 'GET, HEAD, DELETE'],
  ['put', '', 'GET, HEAD, POST'],
  ['delete', '', 'GET, HEAD, POST'],
] as const)('%s on short-links%s is not allowed', async (method, suffix, allowed) => {
  const { id } = await aShortLink(on, account.key, project.id, linkId);
  const url = `/projects/${project.id}/short-links${suffix.replace('{id}', id)}`;
  const response = await on.api(method, url, account.key).send({ slug: 'other' });
  expect(response).toBeRefusedWith('METHOD_NOT_ALLOWED');
  expect(response.headers['allow']!.split(', ').sort()).toEqual(allowed.split(', ').sort());
});

test('the key that made it is named, also once it is revoked', async () => {
  const keys = on.service.app.get(ApiKeysService);
  const second = await keys.create(account.accountId, 'Second', null);
  const made = await aShortLink(on, second.secret, project.id, linkId);
  expect(made).toMatchObject({
    source: 'api',
    created_by: account.userId,
    created_by_api_key_id: second.id,
  });
  await keys.revoke(second.id);
  const params = { path: { ...path, shortLinkId: made.id } };
  expect((await client.GET('/projects/{projectId}/short-links/{shortLinkId}', { params })).data!.data).toEqual(made);
});

test('short_url is on the current host, also after the subdomain changed', async () => {
  const own = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, own.id);
  const made = await aShortLink(on, account.key, own.id, link.id, { slug: 'moving' });
  const subdomain = unique('moved');
  await on.api('put', `/projects/${own.id}`, account.key).send({ subdomain }).expect(200);
  const params = { path: { projectId: own.id, shortLinkId: made.id } };
  const expected = { ...made, short_url: `http://${subdomain}.localhost:3000/moving` };
  expect((await client.GET('/projects/{projectId}/short-links/{shortLinkId}', { params })).data!.data).toEqual(
    expected,
  );
  const listed = await client.GET('/projects/{projectId}/short-links', { params: { path: { projectId: own.id } } });
  expect(listed.data!.data).toEqual([expected]);
});

describe('slugs', () => {
  test.each([['abc'], ['000'], ['a-b'], ['a_b'], ['a--__--b'], ['x'.repeat(20)], [`a${'-'.repeat(18)}b`], ['robots']])(
    '%s',
    async (slug) => {
      const created = await create({ dynamic_link_id: linkId, slug });
      expect(created.data?.data).toMatchObject({
        slug,
        short_url: `http://${project.subdomain}.localhost:3000/${slug}`,
      });
    },
  );

  test.each([
    ['', 'too_small'],
    ['ab', 'too_small'],
    ['x'.repeat(21), 'too_big'],
    ['-ab', 'invalid_format'],
    ['_ab', 'invalid_format'],
    ['ab-', 'invalid_format'],
    ['ab_', 'invalid_format'],
    ['---', 'invalid_format'],
    ['Abc', 'invalid_format'],
    ['a.b', 'invalid_format'],
    ['a/b', 'invalid_format'],
    ['a b', 'invalid_format'],
    ['a~b', 'invalid_format'],
    ['äbc', 'invalid_format'],
    ['abc\n', 'invalid_format'],
    ['ab\0c', 'invalid_format'],
    ['a%2Fb', 'invalid_format'],
  ] as const)('%j: %s', async (slug, code) => {
    expect(await create({ dynamic_link_id: linkId, slug })).toBeRefusedWith('INVALID_INPUT', [problem(code, 'slug')]);
  });

  test.each([[null], [1], [true], [['abc']], [{}]])('%j is none', async (slug) => {
    const response = await on
      .api('post', `/projects/${project.id}/short-links`, account.key)
      .send({ dynamic_link_id: linkId, slug });
    expect(response).toBeRefusedWith('INVALID_INPUT', [problem('invalid_type', 'slug')]);
  });

  test('a lone surrogate is none', async () => {
    const response = await on
      .api('post', `/projects/${project.id}/short-links`, account.key)
      .type('json')
      .send(`{"dynamic_link_id":"${linkId}","slug":"ab\\ud800"}`);
    expect(response).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', 'slug')]);
  });

  test('generated: four characters of base36, different ones', async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => create({ dynamic_link_id: linkId })));
    const slugs = made.map(({ data }) => data!.data.slug);
    for (const slug of slugs) expect(slug).toMatch(/^[0-9a-z]{4}$/);
    expect(new Set(slugs).size).toBe(40);
  });

  test('the same in two projects', async () => {
    const own = await aProject(on, account.key);
    const link = await aDynamicLink(on, account.key, own.id);
    const slug = unique('both');
    expect((await create({ dynamic_link_id: linkId, slug })).response.status).toBe(201);
    expect((await create({ dynamic_link_id: link.id, slug }, own.id)).response.status).toBe(201);
  });

  test('many for one link', async () => {
    const link = await aDynamicLink(on, account.key, project.id);
    for (let at = 0; at < 3; at++) await aShortLink(on, account.key, project.id, link.id);
    const query = { dynamic_link_id: link.id };
    const listed = await client.GET('/projects/{projectId}/short-links', { params: { path, query } });
    expect(listed.data!.pagination.total).toBe(3);
  });
});

describe('dynamic_link_id', () => {
  test.each([['x'], [''], [`{${unknownId}}`], [unknownId.replaceAll('-', '')]])('%j is no UUID', async (value) => {
    expect(await create({ dynamic_link_id: value })).toBeRefusedWith('INVALID_INPUT', [
      problem('invalid_format', 'dynamic_link_id'),
    ]);
  });

  test.each([
    [null, 'invalid_type'],
    [7, 'invalid_type'],
    [undefined, 'required'],
  ] as const)('%j is none', async (value, code) => {
    const response = await on
      .api('post', `/projects/${project.id}/short-links`, account.key)
      .send({ dynamic_link_id: value });
    expect(response).toBeRefusedWith('INVALID_INPUT', [problem(code, 'dynamic_link_id')]);
  });

  test('nowhere: 404', async () => {
    const gone = await aDynamicLink(on, account.key, project.id);
    await on.api('delete', `/projects/${project.id}/links/${gone.id}`, account.key).expect(200);
    for (const dynamic_link_id of [unknownId, gone.id, project.id])
      expect(await create({ dynamic_link_id })).toBeRefusedWith('NOT_FOUND');
  });

  test.each(['another project of the account', 'another account'])('in %s: 403', async (where) => {
    const owner = where === 'another account' ? await on.anAccount() : account;
    const theirs = await aProject(on, owner.key);
    const link = await aDynamicLink(on, owner.key, theirs.id);
    expect(await create({ dynamic_link_id: link.id })).toBeRefusedWith('FORBIDDEN_CROSS_SCOPE');
    await on.database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [theirs.id]);
    expect(await create({ dynamic_link_id: link.id })).toBeRefusedWith('NOT_FOUND');
  });
});

test.each(['id', 'project_id', 'short_url', 'source', 'created_by', 'created_by_api_key_id', 'created_at', 'name'])(
  'the field %s is forbidden',
  async (field) => {
    const request = () =>
      on
        .api('post', `/projects/${project.id}/short-links`, account.key)
        .send({ dynamic_link_id: 1, [field]: 'dashboard' });
    expect(await changingNothing(on, request)).toBeRefusedWith('FORBIDDEN_FIELD', [problem('unrecognized_key', field)]);
  },
);

describe('tenancy', () => {
  test('a short link is found in its own project alone', async () => {
    const made = await aShortLink(on, account.key, project.id, linkId);
    const params = { path: { projectId: (await aProject(on, account.key)).id, shortLinkId: made.id } };
    const url = '/projects/{projectId}/short-links/{shortLinkId}';
    expect(await client.GET(url, { params })).toBeRefusedWith('NOT_FOUND');
    expect(await client.DELETE(url, { params })).toBeRefusedWith('NOT_FOUND');
    const stranger = aClient(on, (await on.anAccount()).key);
    const foreign = { path: { projectId: project.id, shortLinkId: made.id } };
    expect(await stranger.GET(url, { params: foreign })).toBeRefusedWith('ACCESS_DENIED');
    expect(await stranger.DELETE(url, { params: foreign })).toBeRefusedWith('ACCESS_DENIED');
    const body = { dynamic_link_id: linkId };
    expect(await stranger.POST('/projects/{projectId}/short-links', { params: { path }, body })).toBeRefusedWith(
      'ACCESS_DENIED',
    );
    expect(await stranger.GET('/projects/{projectId}/short-links', { params: { path } })).toBeRefusedWith(
      'ACCESS_DENIED',
    );
    const upper = { path: { projectId: project.id.toUpperCase(), shortLinkId: made.id.toUpperCase() } };
    expect((await client.GET(url, { params: upper })).data!.data).toEqual(made);
  });

  test.each(['x', `{${unknownId}}`, unknownId.replaceAll('-', ''), unknownId])('%s names nothing', async (id) => {
    const url = `/projects/${project.id}/short-links/${id}`;
    expect(await on.api('get', url, account.key)).toBeRefusedWith('NOT_FOUND');
    expect(await on.api('delete', url, account.key)).toBeRefusedWith('NOT_FOUND');
    const project404 = `/projects/${id}/short-links`;
    expect(await on.api('get', project404, account.key)).toBeRefusedWith('NOT_FOUND');
    expect(await on.api('post', project404, account.key).send({})).toBeRefusedWith('NOT_FOUND');
  });
});

describe('lists', () => {
  let own: { projectId: string };
  let links: string[];
  beforeAll(async () => {
    own = { projectId: (await aProject(on, account.key)).id };
    links = [];
    for (let at = 0; at < 3; at++) links.push((await aDynamicLink(on, account.key, own.projectId)).id);
    // Twenty-four aliases of two links, eight at each of three moments, and a link without any.
    await on.database.query(
      `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source, created_at)
       SELECT gen_random_uuid(), $1, ($2::uuid[])[1 + n % 2], 'slug-' || n, 'dashboard',
              timestamptz '2026-01-01' + n % 3 * interval '1 day' FROM generate_series(1, 24) n`,
      [own.projectId, links],
    );
  });

  const list = async (query: { page?: number; limit?: number; dynamic_link_id?: string }) =>
    (await client.GET('/projects/{projectId}/short-links', { params: { path: own, query } })).data!;

  test.each([
    ['all', () => undefined, 24],
    ['of one link', () => links[0], 12],
    ['of one link, in capital letters', () => links[1]!.toUpperCase(), 12],
    ['of a link without any', () => links[2], 0],
    ['of an unknown link', () => unknownId, 0],
    ["of another project's link", () => linkId, 0],
  ])('%s: newest first, ties by id, pages partition', async (_, link, total) => {
    const filter = link();
    const query = filter === undefined ? {} : { dynamic_link_id: filter };
    const whole = await list({ ...query, limit: 100 });
    expect(whole.pagination).toEqual({
      page: 1,
      limit: 100,
      total,
      totalPages: total > 0 ? 1 : 0,
      hasNextPage: false,
      hasPreviousPage: false,
    });
    expect(whole.data).toHaveLength(total);
    expect(whole.data).toEqual(
      whole.data.toSorted((a, b) => byCodePoint(b.created_at, a.created_at) || byCodePoint(b.id, a.id)),
    );
    const pages = [];
    for (let page = 1; page <= 6; page++) pages.push(...(await list({ ...query, page, limit: 5 })).data);
    expect(pages).toEqual(whole.data);
    expect(whole.data.every(({ dynamic_link_id }) => !filter || dynamic_link_id === filter.toLowerCase())).toBe(true);
  });

  test('what the dashboard made says so', async () => {
    expect((await list({ limit: 1 })).data[0]).toMatchObject({
      source: 'dashboard',
      created_by: null,
      created_by_api_key_id: null,
    });
  });

  test.each([
    ['page=0', 'too_small', 'page'],
    ['limit=0', 'too_small', 'limit'],
    ['limit=101', 'too_big', 'limit'],
    ['limit=ten', 'invalid_type', 'limit'],
    ['dynamic_link_id=x', 'invalid_format', 'dynamic_link_id'],
    ['dynamic_link_id=', 'invalid_format', 'dynamic_link_id'],
    ['search=x', 'unrecognized_key', 'search'],
    ['sortBy=created_at', 'unrecognized_key', 'sortBy'],
    ['sortOrder=asc', 'unrecognized_key', 'sortOrder'],
  ] as const)('?%s is refused', async (query, code, field) => {
    const response = await on.api('get', `/projects/${own.projectId}/short-links?${query}`, account.key);
    expect(response).toBeRefusedWith('INVALID_INPUT', [problem(code, field)]);
  });
});

describe('what a deletion takes along', () => {
  const left = async (projectId: string) => {
    const [row] = await on.database.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM short_links WHERE project_id = $1) AS short_links,
              (SELECT count(*)::int FROM link_paths WHERE project_id = $1) AS paths,
              (SELECT coalesce(sum(short_links), 0)::int FROM project_counts WHERE project_id = $1) AS counted`,
      [projectId],
    );
    return row;
  };

  test("a dynamic link's, and a project's", async () => {
    const own = await aProject(on, account.key);
    const [one, two] = [
      await aDynamicLink(on, account.key, own.id),
      await aDynamicLink(on, account.key, own.id, { custom_path: 'stays' }),
    ];
    for (let at = 0; at < 3; at++) await aShortLink(on, account.key, own.id, one.id, { slug: `one-${at}` });
    const kept = await aShortLink(on, account.key, own.id, two.id);
    expect(await left(own.id)).toEqual({ short_links: 4, paths: 6, counted: 4 });

    await on.api('delete', `/projects/${own.id}/links/${one.id}`, account.key).expect(200);
    expect(await left(own.id)).toEqual({ short_links: 1, paths: 2, counted: 1 });
    const listed = await client.GET('/projects/{projectId}/short-links', { params: { path: { projectId: own.id } } });
    expect([listed.data!.data, listed.data!.pagination.total]).toEqual([[kept], 1]);
    const again = await create({ dynamic_link_id: two.id, slug: 'one-0' }, own.id);
    expect(again.response.status).toBe(201);

    await on.api('delete', `/projects/${own.id}/short-links/${kept.id}`, account.key).expect(200);
    expect(await left(own.id)).toEqual({ short_links: 1, paths: 2, counted: 1 });

    await on.api('delete', `/projects/${own.id}`, account.key).expect(200);
    await untilPurged(on, own.id);
    expect(await left(own.id)).toEqual({ short_links: 0, paths: 0, counted: 0 });
  });

  test('a deletion that races with aliases of the link: no alias without its link, and counts that are right', async () => {
    const own = await aProject(on, account.key);
    for (let round = 0; round < 12; round++) {
      const link = await aDynamicLink(on, account.key, own.id);
      const [deletion, ...creates] = await Promise.all([
        on.api('delete', `/projects/${own.id}/links/${link.id}`, account.key),
        ...Array.from({ length: 6 }, () => create({ dynamic_link_id: link.id }, own.id)),
      ]);
      expect(deletion.status).toBe(200);
      for (const answer of creates) if (answer.response.status !== 201) expect(answer).toBeRefusedWith('NOT_FOUND');
    }
    expect(await left(own.id)).toEqual({ short_links: 0, paths: 0, counted: 0 });
  });
});

describe('visits', () => {
  const desktop_url = 'https://example.com/alias?x=1';

  test("go where the dynamic link's own do, until either is deleted", async () => {
    const own = await aProject(on, account.key);
    const link = await aDynamicLink(on, account.key, own.id, { desktop_url, referrer_params: { via: 'mail' } });
    const made = await aShortLink(on, account.key, own.id, link.id);
    const other = await aShortLink(on, account.key, own.id, link.id);
    for (const path of [link.custom_path, made.slug, other.slug]) {
      const response = await on.visit(own.subdomain, `/${path}?y=2`);
      expect([response.status, response.headers['location']]).toEqual([302, `${desktop_url}&via=mail&y=2`]);
    }
    expect((await on.visit(own.subdomain, `/${made.slug.toUpperCase()}-`)).status).toBe(404);

    // What was remembered of it is forgotten a moment later, when the database has announced it.
    const isGone = (slug: string) => eventually(async () => (await on.visit(own.subdomain, `/${slug}`)).status === 404);
    await on.api('delete', `/projects/${own.id}/short-links/${made.id}`, account.key).expect(200);
    await isGone(made.slug);
    expect((await on.visit(own.subdomain, `/${link.custom_path}`)).status).toBe(302);
    expect((await on.visit(own.subdomain, `/${other.slug}`)).status).toBe(302);

    await on.api('put', `/projects/${own.id}/links/${link.id}`, account.key).send({ custom_path: 'new' }).expect(200);
    expect((await on.visit(own.subdomain, `/${other.slug}`)).status).toBe(302);
    await on.api('delete', `/projects/${own.id}/links/${link.id}`, account.key).expect(200);
    await isGone(other.slug);
  });

  test("mean nothing on another project's host", async () => {
    const made = await aShortLink(on, account.key, project.id, linkId);
    const other = await aProject(on, account.key);
    expect((await on.visit(project.subdomain, `/${made.slug}`)).status).toBe(302);
    expect((await on.visit(other.subdomain, `/${made.slug}`)).status).toBe(404);
  });
});
