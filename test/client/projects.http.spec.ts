import { unique } from '../support/builders';
import { aClient } from '../support/client';
import { aService, type TestService } from '../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

test('the client creates, lists, reads, changes and deletes projects', async () => {
  const { key, userId } = await on.anAccount();
  const client = aClient(on, key);
  const subdomain = unique('client');
  const created = await client.POST('/projects', { body: { name: 'Summer', subdomain } });
  expect(created.data?.data).toMatchObject({ name: 'Summer', subdomain, user_id: userId });
  const path = { projectId: created.data!.data.id };

  const listed = await client.GET('/projects', {
    params: { query: { search: 'SUMM', sortBy: 'name', sortOrder: 'asc' } },
  });
  expect(listed.data).toEqual({
    data: [{ ...created.data!.data, _count: { dynamic_links: 0 } }],
    pagination: { page: 1, limit: 10, total: 1, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
  });

  const changed = await client.PUT('/projects/{projectId}', { params: { path }, body: { name: 'Autumn' } });
  expect(changed.data?.data).toMatchObject({ id: path.projectId, name: 'Autumn', subdomain });
  expect((await client.GET('/projects/{projectId}', { params: { path } })).data).toEqual(changed.data);

  const taken = await client.POST('/projects', { body: { name: 'Again', subdomain } });
  expect([taken.response.status, taken.error?.error.code]).toEqual([409, 'SUBDOMAIN_TAKEN']);

  expect((await client.DELETE('/projects/{projectId}', { params: { path } })).data?.data.message).toBe(
    'Project deleted',
  );
  expect((await client.GET('/projects/{projectId}', { params: { path } })).error?.error.code).toBe('NOT_FOUND');
});

test('the client sends Idempotency-Key and If-Match', async () => {
  const client = aClient(on, (await on.anAccount()).key);
  const body = { name: 'Once', subdomain: unique('once') };
  const create = () => client.POST('/projects', { params: { header: { 'Idempotency-Key': 'once' } }, body });
  const { data } = await create();
  expect((await create()).data).toEqual(data);

  const path = { projectId: data!.data.id };
  const { response } = await client.GET('/projects/{projectId}', { params: { path } });
  const header = { 'If-Match': response.headers.get('ETag')! };
  const rename = (name: string) => client.PUT('/projects/{projectId}', { params: { path, header }, body: { name } });
  expect((await rename('First')).data?.data.name).toBe('First');
  const lost = await rename('Second');
  expect([lost.response.status, lost.error?.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
});
