import { aProject } from '../support/builders';
import { aClient } from '../support/client';
import { eventually } from '../support/eventually';
import { startImports } from '../support/imports';
import { aService, type TestService } from '../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
  await startImports(on);
});
afterAll(() => on.stop());

test('the client uploads a file, waits for the dry run, runs the import and reads its rows', async () => {
  const { key } = await on.anAccount();
  const client = aClient(on, key);
  const { id: projectId } = await aProject(on, key);
  const uploaded = await client.POST('/projects/{projectId}/imports', {
    params: { path: { projectId }, query: { source: 'csv' } },
    headers: { 'Content-Type': 'text/csv' },
    body: 'name,custom_path\nOne,one\nTwo,bad path\n',
    bodySerializer: (file) => file,
  });
  const path = { projectId, importId: uploaded.data!.data.id };
  const stateOf = async () =>
    (await client.GET('/projects/{projectId}/imports/{importId}', { params: { path } })).data!.data.state;
  await eventually(async () => (await stateOf()) === 'ready');
  await client.POST('/projects/{projectId}/imports/{importId}/run', { params: { path } });
  await eventually(async () => (await stateOf()) === 'completed');
  const rows = await client.GET('/projects/{projectId}/imports/{importId}/rows', {
    params: { path, query: { outcome: 'refused' } },
  });
  expect(rows.data!.data).toMatchObject([{ row: 2, problems: [{ field: 'custom_path' }] }]);
});
