import { randomUUID } from 'node:crypto';
import { aDynamicLink, aProject, unique } from '../support/builders';
import { changingNothing, untilPurged } from '../support/content';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let owner: TestAccount;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
});
afterAll(() => on.stop());

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);

test('POST answers 201, the project and where it is', async () => {
  const subdomain = unique('created');
  const response = await on.api('post', '/projects', owner.key).send({ name: 'Created', subdomain }).expect(201);
  expect(response.body).toEqual({
    data: { id: uuid, name: 'Created', subdomain, user_id: owner.userId, created_at: instant, updated_at: instant },
  });
  const { id, created_at, updated_at } = response.body.data;
  expect(response.headers['location']).toBe(`http://localhost:3000/api/v1/projects/${id}`);
  expect(updated_at).toBe(created_at);
  expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(10_000);
});

test('Location is built from the configured origin, not from the request', async () => {
  const elsewhere = await aService({
    API_BASE_URL: 'https://api.example.com',
    LINK_BASE_URL: 'https://go.example.com',
  });
  try {
    const { key } = await elsewhere.anAccount();
    const response = await elsewhere
      .api('post', '/projects', key)
      .set({ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' })
      .send({ name: 'x', subdomain: unique('origin') })
      .expect(201);
    expect(response.headers['location']).toBe(`https://api.example.com/api/v1/projects/${response.body.data.id}`);
  } finally {
    await elsewhere.stop();
  }
});

test('GET answers the project as it was created, without _count', async () => {
  const project = await aProject(on, owner.key);
  await aDynamicLink(on, owner.key, project.id);
  const response = await on.api('get', `/projects/${project.id}`, owner.key).expect(200);
  expect(response.body).toEqual({ data: project });
});

test('the list gives each project with its number of links', async () => {
  const { key } = await on.anAccount();
  const empty = await aProject(on, key);
  const full = await aProject(on, key);
  for (let links = 0; links < 3; links++) await aDynamicLink(on, key, full.id);
  const response = await on.api('get', '/projects?sortOrder=asc', key).expect(200);
  expect(response.body).toEqual({
    data: [
      { ...empty, _count: { dynamic_links: 0 } },
      { ...full, _count: { dynamic_links: 3 } },
    ],
    pagination: { page: 1, limit: 10, total: 2, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
  });
});

describe('PUT', () => {
  const long = new Date('2020-02-02T02:02:02.002Z').toISOString();

  /** A project that was made and changed long ago. */
  async function anOldProject() {
    const project = await aProject(on, owner.key, { name: 'Old' });
    await on.database.query('UPDATE projects SET created_at = $2, updated_at = $2 WHERE id = $1', [project.id, long]);
    return { ...project, created_at: long, updated_at: long };
  }

  test.each([
    ['the name alone', () => ({ name: 'New' })],
    ['the subdomain alone', () => ({ subdomain: unique('moved') })],
    ['both', () => ({ name: 'New', subdomain: unique('moved') })],
  ])('changes %s and nothing else', async (_, changes) => {
    const before = await anOldProject();
    const body = changes();
    const response = await on.api('put', `/projects/${before.id}`, owner.key).send(body).expect(200);
    expect(response.body).toEqual({ data: { ...before, ...body, updated_at: instant } });
    expect(Date.parse(response.body.data.updated_at)).toBeGreaterThan(Date.now() - 10_000);
    expect((await on.api('get', `/projects/${before.id}`, owner.key).expect(200)).body).toEqual(response.body);
  });

  test('{} is a valid update that changes nothing', async () => {
    const before = await anOldProject();
    const response = await changingNothing(on, () => on.api('put', `/projects/${before.id}`, owner.key).send({}));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ data: before });
  });

  test('takes the subdomain that the project has already', async () => {
    const { id, subdomain } = await aProject(on, owner.key);
    await on.api('put', `/projects/${id}`, owner.key).send({ subdomain }).expect(200);
  });

  test.each([
    ['of the same account', () => owner],
    ['of another account', () => on.anAccount()],
  ])('a subdomain that a project %s has is taken', async (_, other) => {
    const theirs = await aProject(on, (await other()).key);
    const mine = await aProject(on, owner.key);
    const { subdomain } = theirs;
    const update = () => on.api('put', `/projects/${mine.id}`, owner.key).send({ name: 'Never', subdomain });
    expect(await changingNothing(on, update)).toBeRefusedWith('SUBDOMAIN_TAKEN');
    const create = () => on.api('post', '/projects', owner.key).send({ name: 'Never', subdomain });
    expect(await changingNothing(on, create)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  });
});

describe('DELETE', () => {
  test('answers a message; the project is gone for every operation and its subdomain is the account’s', async () => {
    const { key } = await on.anAccount();
    const { id, subdomain } = await aProject(on, key);
    const link = await aDynamicLink(on, key, id, { custom_path: 'gone' });
    const response = await on.api('delete', `/projects/${id}`, key).expect(200);
    expect(response.body).toEqual({ data: { message: 'Project deleted' } });

    for (const [method, path] of everyOperation(id, link.id))
      expect(await on.api(method, path, key).send(bodyOf(method))).toBeRefusedWith('NOT_FOUND');
    const list = await on.api('get', '/projects', key).expect(200);
    expect(list.body).toEqual({
      data: [],
      pagination: { page: 1, limit: 10, total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false },
    });
    const next = await aProject(on, key, { subdomain });
    await aDynamicLink(on, key, next.id, { custom_path: 'gone' });
    await untilPurged(on, id);
  });

  test('leaves the other projects and their links alone', async () => {
    const { key } = await on.anAccount();
    const [kept, deleted] = [await aProject(on, key), await aProject(on, key)];
    const link = await aDynamicLink(on, key, kept.id, { custom_path: 'kept' });
    await aDynamicLink(on, key, deleted.id, { custom_path: 'kept' });
    await on.api('delete', `/projects/${deleted.id}`, key).expect(200);
    await untilPurged(on, deleted.id);
    const list = await on.api('get', '/projects', key).expect(200);
    expect(list.body.data).toEqual([{ ...kept, _count: { dynamic_links: 1 } }]);
    await on.api('get', `/projects/${kept.id}/links/${link.id}`, key).expect(200);
  });
});

type Method = 'get' | 'post' | 'put' | 'delete';

const everyOperation = (projectId: string, linkId: string): [Method, string][] => [
  ['get', `/projects/${projectId}`],
  ['put', `/projects/${projectId}`],
  ['delete', `/projects/${projectId}`],
  ['get', `/projects/${projectId}/links`],
  ['post', `/projects/${projectId}/links`],
  ['get', `/projects/${projectId}/links/${linkId}`],
  ['put', `/projects/${projectId}/links/${linkId}`],
  ['delete', `/projects/${projectId}/links/${linkId}`],
];

const bodyOf = (method: Method) => (method === 'post' || method === 'put' ? { name: 'Intruder' } : undefined);

describe('a project of another account', () => {
  test.each(everyOperation('{project}', '{link}'))('%s %s is refused', async (method, template) => {
    const project = await aProject(on, owner.key);
    const link = await aDynamicLink(on, owner.key, project.id);
    const intruder = await on.anAccount();
    const path = template.replace('{project}', project.id).replace('{link}', link.id);
    const request = () => on.api(method, path, intruder.key).send(bodyOf(method));
    expect(await changingNothing(on, request)).toBeRefusedWith('ACCESS_DENIED');
  });

  test('is refused before anything else of the request is looked at', async () => {
    const project = await aProject(on, owner.key);
    const { key } = await on.anAccount('free');
    const path = `/projects/${project.id}`;
    expect(await on.api('put', path, key).send({ id: 1, name: 2 })).toBeRefusedWith('ACCESS_DENIED');
    expect(await on.api('put', `${path}/links/nonsense`, key).send('[')).toBeRefusedWith('ACCESS_DENIED');
    expect(await on.api('get', `${path}/links?page=0`, key)).toBeRefusedWith('ACCESS_DENIED');
    expect(await on.api('get', `${path}?nonsense=1`, key)).toBeRefusedWith('ACCESS_DENIED');
  });

  test('is not in the list', async () => {
    await aProject(on, owner.key);
    const { key } = await on.anAccount();
    expect((await on.api('get', '/projects', key).expect(200)).body.data).toEqual([]);
    const search = await on.api('get', '/projects?search=p', key).expect(200);
    expect(search.body.pagination.total).toBe(0);
  });
});

describe('ids in the path', () => {
  const notUuids: [string, (id: string) => string][] = [
    ['an unknown one', () => randomUUID()],
    ['the nil UUID', () => '00000000-0000-0000-0000-000000000000'],
    ['a word', () => 'nonsense'],
    ['a number', () => '1'],
    ['the id in braces', (id) => `%7B${id}%7D`],
    ['the id without hyphens', (id) => id.replaceAll('-', '')],
    ['the id and more', (id) => `${id}0`],
    ['the id cut short', (id) => id.slice(0, -1)],
    ['the id and a newline', (id) => `${id}%0A`],
    ['the id after a space', (id) => `%20${id}`],
    ['the id and NUL', (id) => `${id}%00`],
    ['a urn', (id) => `urn:uuid:${id}`],
    [
      'full-width digits',
      (id) => encodeURIComponent(id.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))),
    ],
  ];
  test.each(notUuids)('%s names no project', async (_, spelling) => {
    const { id } = await aProject(on, owner.key);
    for (const [method, path] of everyOperation(spelling(id), id))
      expect(await on.api(method, path, owner.key).send(bodyOf(method))).toBeRefusedWith('NOT_FOUND');
  });

  test('are read in upper case and written in lower case', async () => {
    const project = await aProject(on, owner.key);
    const path = `/projects/${project.id.toUpperCase()}`;
    expect((await on.api('get', path, owner.key).expect(200)).body).toEqual({ data: project });
    const updated = await on.api('put', path, owner.key).send({ name: 'Upper' }).expect(200);
    expect(updated.body.data.id).toBe(project.id);
    const link = await on.api('post', `${path}/links`, owner.key).send({ name: 'x' }).expect(201);
    expect(link.headers['location']).toBe(
      `http://localhost:3000/api/v1/projects/${project.id}/links/${link.body.data.id}`,
    );
    await on.api('delete', path, owner.key).expect(200);
    expect(await on.api('get', `/projects/${project.id}`, owner.key)).toBeRefusedWith('NOT_FOUND');
  });
});

describe('unknown query parameters', () => {
  const details = [{ code: 'unrecognized_key', path: ['page'], message: expect.any(String) }];
  test.each<[Method, string]>([
    ['post', '/projects?page=1'],
    ['get', '/projects/{project}?page=1'],
    ['put', '/projects/{project}?page=1'],
    ['delete', '/projects/{project}?page=1'],
  ])('%s %s is refused', async (method, template) => {
    const { id } = await aProject(on, owner.key);
    const body = method === 'post' ? { name: 'x', subdomain: unique('x') } : bodyOf(method);
    const request = () => on.api(method, template.replace('{project}', id), owner.key).send(body);
    expect(await changingNothing(on, request)).toBeRefusedWith('INVALID_INPUT', details);
  });
});
