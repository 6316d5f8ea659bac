import type { SignpostClient } from '../../clients/typescript/src/index';
import {
  aDynamicLink,
  aFingerprint,
  anAndroidApp,
  aProject,
  type ProjectBody,
  unique,
  unknownId,
} from '../support/builders';
import { aClient } from '../support/client';
import { changingNothing } from '../support/content';
import { problem } from '../support/problem';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
let project: ProjectBody;
let path: { projectId: string };
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  client = aClient(on, account.key);
  project = await aProject(on, account.key);
  path = { projectId: project.id };
});
afterAll(() => on.stop());

const uniqueName = (what: string) => `com.example.${unique(what).replaceAll('-', '_')}`;
const shop = () => ({ name: 'Shop', package_name: uniqueName('shop'), sha_fingerprints: [aFingerprint(1)] });

test('an app is registered, read, listed, changed and deleted', async () => {
  const own = { projectId: (await aProject(on, account.key)).id };
  const body = shop();
  const created = await client.POST('/projects/{projectId}/android-apps', { params: { path: own }, body });
  const { id } = created.data!.data;
  expect(created.response.status).toBe(201);
  expect(created.response.headers.get('location')).toBe(
    `http://localhost:3000/api/v1/projects/${own.projectId}/android-apps/${id}`,
  );
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(created.data).toEqual({
    data: { id, project_id: own.projectId, ...body, created_at: moment, updated_at: moment },
  });
  expect(created.data!.data.updated_at).toBe(created.data!.data.created_at);

  const params = { path: { ...own, appId: id } };
  expect((await client.GET('/projects/{projectId}/android-apps/{appId}', { params })).data).toEqual(created.data);
  expect((await client.GET('/projects/{projectId}/android-apps', { params: { path: own } })).data).toEqual({
    data: [created.data!.data],
    pagination: { page: 1, limit: 10, total: 1, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
  });

  const changes = {
    name: 'Store',
    package_name: uniqueName('store'),
    sha_fingerprints: [aFingerprint(3), aFingerprint(2)],
  };
  const changed = await client.PUT('/projects/{projectId}/android-apps/{appId}', {
    params,
    body: changes,
  });
  expect(changed.data).toEqual({ data: { ...created.data!.data, ...changes, updated_at: moment } });
  expect(changed.data!.data.updated_at > created.data!.data.updated_at).toBe(true);
  expect((await client.GET('/projects/{projectId}/android-apps/{appId}', { params })).data).toEqual(changed.data);

  const deleted = await client.DELETE('/projects/{projectId}/android-apps/{appId}', { params });
  expect([deleted.response.status, deleted.data]).toEqual([200, { data: { message: 'Android app deleted' } }]);
  expect(await client.GET('/projects/{projectId}/android-apps/{appId}', { params })).toBeRefusedWith('NOT_FOUND');
  expect(await client.DELETE('/projects/{projectId}/android-apps/{appId}', { params })).toBeRefusedWith('NOT_FOUND');
});

test.each([
  [{ name: 'Other' }],
  [{ package_name: 'com.example.Other' }],
  [{ sha_fingerprints: [aFingerprint(9), aFingerprint(8)] }],
  [{ sha_fingerprints: [] }],
])('an update of %j changes nothing else', async (body) => {
  const app = await anAndroidApp(on, account.key, project.id);
  const params = { path: { ...path, appId: app.id } };
  const changed = await client.PUT('/projects/{projectId}/android-apps/{appId}', { params, body });
  expect(changed.data).toEqual({ data: { ...app, ...body, updated_at: expect.any(String) } });
});

test('an empty update is valid and changes nothing', async () => {
  const app = await anAndroidApp(on, account.key, project.id);
  const params = { path: { ...path, appId: app.id } };
  const changed = await client.PUT('/projects/{projectId}/android-apps/{appId}', { params, body: {} });
  expect(changed.data).toEqual({ data: app });
});

test('ids are read in any letter case, in no other spelling', async () => {
  const app = await anAndroidApp(on, account.key, project.id);
  const upper = { projectId: project.id.toUpperCase(), appId: app.id.toUpperCase() };
  const read = await client.GET('/projects/{projectId}/android-apps/{appId}', { params: { path: upper } });
  expect(read.data).toEqual({ data: app });
  for (const appId of [`{${app.id}}`, app.id.replaceAll('-', ''), 'x', '%00']) {
    const url = `/projects/${project.id}/android-apps/${appId}`;
    expect(await on.api('get', url, account.key)).toBeRefusedWith('NOT_FOUND');
    expect(await on.api('put', url, account.key).send({})).toBeRefusedWith('NOT_FOUND');
    expect(await on.api('delete', url, account.key)).toBeRefusedWith('NOT_FOUND');
  }
});

describe('tenancy', () => {
  test('an app is found in its own project alone', async () => {
    const app = await anAndroidApp(on, account.key, project.id);
    const elsewhere = { projectId: (await aProject(on, account.key)).id, appId: app.id };
    const params = { path: elsewhere };
    const body = { name: 'Mine' };
    expect(await client.GET('/projects/{projectId}/android-apps/{appId}', { params })).toBeRefusedWith('NOT_FOUND');
    expect(await client.PUT('/projects/{projectId}/android-apps/{appId}', { params, body })).toBeRefusedWith(
      'NOT_FOUND',
    );
    expect(await client.DELETE('/projects/{projectId}/android-apps/{appId}', { params })).toBeRefusedWith('NOT_FOUND');
    const own = await client.GET('/projects/{projectId}/android-apps/{appId}', {
      params: { path: { ...path, appId: app.id } },
    });
    expect(own.data).toEqual({ data: app });
  });

  test.each([
    ['of another account', 'ACCESS_DENIED'],
    ['that nobody has', 'NOT_FOUND'],
    ['that is deleted', 'NOT_FOUND'],
  ] as const)('a project %s: %s, before the body is looked at', async (which, code) => {
    const other = await on.anAccount();
    const theirs = await aProject(on, which === 'of another account' ? other.key : account.key);
    const app = await anAndroidApp(on, which === 'of another account' ? other.key : account.key, theirs.id);
    if (which === 'that is deleted') await on.api('delete', `/projects/${theirs.id}`, account.key).expect(200);
    const list = `/projects/${which === 'that nobody has' ? unknownId : theirs.id}/android-apps`;
    const bad = { package_name: 1 };
    for (const request of [
      () => on.api('get', `${list}?page=0`, account.key),
      () => on.api('post', list, account.key).send(bad),
      () => on.api('get', `${list}/${app.id}`, account.key),
      () => on.api('put', `${list}/${app.id}`, account.key).send(bad),
      () => on.api('delete', `${list}/${app.id}`, account.key),
    ])
      expect(await changingNothing(on, request)).toBeRefusedWith(code);
  });

  test('nobody is let in without a key', async () => {
    const app = await anAndroidApp(on, account.key, project.id);
    const stranger = aClient(on, `${account.key.slice(0, -1)}!`);
    const params = { path: { ...path, appId: app.id } };
    expect(await stranger.GET('/projects/{projectId}/android-apps', { params: { path } })).toBeRefusedWith(
      'UNAUTHORIZED',
    );
    expect(await stranger.GET('/projects/{projectId}/android-apps/{appId}', { params })).toBeRefusedWith(
      'UNAUTHORIZED',
    );
    expect(await stranger.DELETE('/projects/{projectId}/android-apps/{appId}', { params })).toBeRefusedWith(
      'UNAUTHORIZED',
    );
  });
});

test.each([unknownId, 'x'])('a bad body goes before an unknown app: %s', async (id) => {
  const url = `/projects/${project.id}/android-apps/${id}`;
  expect(await on.api('put', url, account.key).send({ name: '' })).toBeRefusedWith('INVALID_INPUT');
  expect(await on.api('put', url, account.key).send({ id: unknownId })).toBeRefusedWith('FORBIDDEN_FIELD');
  expect(await on.api('put', url, account.key).send({})).toBeRefusedWith('NOT_FOUND');
  expect(await on.api('delete', `${url}?x=1`, account.key)).toBeRefusedWith('INVALID_INPUT');
});

test.each(['id', 'project_id', 'created_at', 'updated_at', 'bundle_id', 'team_id', 'packageName', 'x'])(
  'the field %s is forbidden, before everything else that is wrong',
  async (field) => {
    const app = await anAndroidApp(on, account.key, project.id);
    const list = `/projects/${project.id}/android-apps`;
    const details = [problem('unrecognized_key', field)];
    for (const request of [
      () => on.api('post', list, account.key).send({ ...shop(), name: 1, [field]: 'x' }),
      () => on.api('put', `${list}/${app.id}`, account.key).send({ name: 1, [field]: 'x' }),
    ])
      expect(await changingNothing(on, request)).toBeRefusedWith('FORBIDDEN_FIELD', details);
  },
);

test.each([
  ['patch', '/{id}', 'GET, HEAD, PUT, DELETE'],
  ['post', '/{id}', 'GET, HEAD, PUT, DELETE'],
  ['put', '', 'GET, HEAD, POST'],
  ['delete', '', 'GET, HEAD, POST'],
] as const)('%s on android-apps%s is not allowed', async (method, suffix, allowed) => {
  const url = `/projects/${project.id}/android-apps${suffix.replace('{id}', unknownId)}`;
  const response = await on.api(method, url, account.key);
  expect(response).toBeRefusedWith('METHOD_NOT_ALLOWED');
  expect(response.headers['allow']!.split(', ').sort()).toEqual(allowed.split(', ').sort());
});

describe('package names', () => {
  const register = (package_name: string, projectId = project.id) =>
    client.POST('/projects/{projectId}/android-apps', {
      params: { path: { projectId } },
      body: { ...shop(), package_name },
    });
  const rename = (appId: string, package_name: string) =>
    client.PUT('/projects/{projectId}/android-apps/{appId}', {
      params: { path: { ...path, appId } },
      body: { package_name },
    });

  test('are unique in their exact letters, on create and on update', async () => {
    const name = uniqueName('Mixed');
    expect((await register(name)).response.status).toBe(201);
    expect(await register(name)).toBeRefusedWith('PACKAGE_NAME_EXISTS');
    const other = await register(name.toUpperCase());
    expect(other.data!.data.package_name).toBe(name.toUpperCase());
    const appId = other.data!.data.id;
    expect(await rename(appId, name)).toBeRefusedWith('PACKAGE_NAME_EXISTS');
    const still = await client.GET('/projects/{projectId}/android-apps/{appId}', {
      params: { path: { ...path, appId } },
    });
    expect(still.data).toEqual(other.data);
    expect((await rename(appId, name.toUpperCase())).response.status).toBe(200);
  });

  test('are free again once changed or deleted, and in other projects always', async () => {
    const app = await anAndroidApp(on, account.key, project.id);
    const elsewhere = await aProject(on, account.key);
    expect((await register(app.package_name, elsewhere.id)).response.status).toBe(201);
    await rename(app.id, `${app.package_name}.changed`);
    const second = await register(app.package_name);
    expect(second.response.status).toBe(201);
    await on.api('delete', `/projects/${project.id}/android-apps/${second.data!.data.id}`, account.key).expect(200);
    expect((await register(app.package_name)).response.status).toBe(201);
  });

  test('thirty at once make one', async () => {
    const name = uniqueName('race');
    const answers = await Promise.all(Array.from({ length: 30 }, () => register(name)));
    const refused = answers.filter(({ response }) => response.status !== 201);
    expect(refused).toHaveLength(29);
    for (const answer of refused) expect(answer).toBeRefusedWith('PACKAGE_NAME_EXISTS');
  });

  test('thirty updates to one at once let one through', async () => {
    const name = uniqueName('race');
    const apps = await Promise.all(Array.from({ length: 30 }, () => anAndroidApp(on, account.key, project.id)));
    const answers = await Promise.all(apps.map(({ id }) => rename(id, name)));
    const refused = answers.filter(({ response }) => response.status !== 200);
    expect(refused).toHaveLength(29);
    for (const answer of refused) expect(answer).toBeRefusedWith('PACKAGE_NAME_EXISTS');
  });
});

test("a project's deletion takes its apps along, referenced ones too", async () => {
  const own = await aProject(on, account.key);
  const app = await anAndroidApp(on, account.key, own.id);
  await aDynamicLink(on, account.key, own.id, { android_app_id: app.id });
  await on.api('delete', `/projects/${own.id}`, account.key).expect(200);
  const left = await on.database.query('SELECT FROM android_apps WHERE project_id = $1', [own.id]);
  expect(left).toHaveLength(0);
});
