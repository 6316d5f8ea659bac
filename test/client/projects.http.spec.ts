import { unique } from '../support/builders';
import { aClient } from '../support/client';
import { aService, type TestService } from '../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

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
