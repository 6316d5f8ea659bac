import { aDynamicLink, aProject, unique } from '../../support/builders';
import { changingNothing, untilPurged } from '../../support/content';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let owner: TestAccount;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
});
afterAll(() => on.stop());

test('the Location header uses API_BASE_URL, not the request', async () => {
  const configured = await aService({
    API_BASE_URL: 'https://api.example.com',
    LINK_BASE_URL: 'https://go.example.com',
  });
  try {
    const { key } = await configured.anAccount();
    const response = await configured
      .api('post', '/projects', key)
      .set({ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' })
      .send({ name: 'x', subdomain: unique('origin') })
      .expect(201);
    expect(response.headers['location']).toBe(`https://api.example.com/api/v1/projects/${response.body.data.id}`);
  } finally {
    await configured.stop();
  }
});

test('the list contains the number of links of each project', async () => {
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

describe('DELETE /projects/{id}', () => {
  test('returns a message; afterwards every operation returns NOT_FOUND and the account can reuse the subdomain', async () => {
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

  test('does not change other projects and their links', async () => {
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

test.each(['www', 'api', 'app', 'admin', 'mail'])(
  'the reserved subdomain %s returns SUBDOMAIN_TAKEN',
  async (subdomain) => {
    const { id } = await aProject(on, owner.key);
    const create = () => on.api('post', '/projects', owner.key).send({ name: 'Reserved', subdomain });
    expect(await changingNothing(on, create)).toBeRefusedWith('SUBDOMAIN_TAKEN');
    const { body } = await create();
    expect((body as { error: { message: string } }).error.message).toMatch(/ is reserved; choose another one$/);
    const update = () => on.api('put', `/projects/${id}`, owner.key).send({ subdomain });
    expect(await changingNothing(on, update)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  },
);
