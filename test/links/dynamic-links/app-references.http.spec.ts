import type { SignpostClient } from '../../../clients/typescript/src/index';
import { anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { aClient } from '../../support/client';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { statementsOf } from '../../support/statements';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
let projectId: string;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  client = aClient(on, account.key);
  projectId = (await aProject(on, account.key)).id;
});
afterAll(() => on.stop());

const create = (body: object, project = projectId) =>
  client.POST('/projects/{projectId}/links', {
    params: { path: { projectId: project } },
    body: { name: 'With apps', ...body },
  });
const get = async (linkId: string) =>
  (await client.GET('/projects/{projectId}/links/{linkId}', { params: { path: { projectId, linkId } } })).data!.data;

describe('the embedded app summaries', () => {
  test('are part of get and list, but not of create and update', async () => {
    const project = (await aProject(on, account.key)).id;
    const ios = await anIosApp(on, account.key, project, { name: 'iOS "Shop"\\ 😀' });
    const android = await anAndroidApp(on, account.key, project, { name: 'Android Shop' });
    const created = await create({ ios_app_id: ios.id, android_app_id: android.id }, project);
    expect(created.data!.data).not.toHaveProperty('ios_apps');
    expect(created.data!.data).not.toHaveProperty('android_apps');
    const expected = {
      ...created.data!.data,
      ios_apps: { id: ios.id, name: ios.name, bundle_id: ios.bundle_id },
      android_apps: { id: android.id, name: android.name, package_name: android.package_name },
    };
    const params = { path: { projectId: project, linkId: created.data!.data.id } };
    const read = await client.GET('/projects/{projectId}/links/{linkId}', { params });
    expect(read.data).toEqual({ data: expected });
    const listed = await client.GET('/projects/{projectId}/links', { params: { path: { projectId: project } } });
    expect(listed.data!.data).toEqual([expected]);
    const changed = await client.PUT('/projects/{projectId}/links/{linkId}', { params, body: { ios_app_id: null } });
    expect(changed.data).toEqual({
      data: { ...created.data!.data, ios_app_id: null, updated_at: expect.any(String) },
    });
    const after = await client.GET('/projects/{projectId}/links', { params: { path: { projectId: project } } });
    expect(after.data!.data).toEqual([{ ...expected, ...changed.data!.data, ios_apps: null }]);
  });

  test("contain an app's new name at once", async () => {
    const ios = await anIosApp(on, account.key, projectId);
    const created = await create({ ios_app_id: ios.id });
    await on.api('put', `/projects/${projectId}/ios-apps/${ios.id}`, account.key).send({ name: 'New' }).expect(200);
    expect((await get(created.data!.data.id)).ios_apps?.name).toBe('New');
  });
});

test('a list takes one SQL statement for any number of links', async () => {
  const large = (await aProject(on, account.key)).id;
  for (let at = 0; at < 5; at++) {
    const app = await anIosApp(on, account.key, large);
    const other = await anAndroidApp(on, account.key, large);
    await on.database.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id, android_app_id)
       SELECT gen_random_uuid(), $1, 'Link', $2 || n, $3, $4 FROM generate_series(1, 20) n`,
      [large, `path-${at}-`, app.id, other.id],
    );
  }
  const page = (limit: number) =>
    client.GET('/projects/{projectId}/links', { params: { path: { projectId: large }, query: { limit } } });
  let hundred: Awaited<ReturnType<typeof page>> | undefined;
  const forOne = await statementsOf(on, () => page(1));
  const forHundred = await statementsOf(on, async () => (hundred = await page(100)));
  expect(hundred!.data!.data.filter((link) => link.ios_apps && link.android_apps)).toHaveLength(100);
  expect([forOne.length, forHundred.length]).toEqual([1, 1]);
});
