import type { SignpostClient } from '../../../clients/typescript/src/index';
import { ProjectPurge } from '../../../src/links/projects/project-purge';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, unknownId } from '../../support/builders';
import { aClient } from '../../support/client';
import { changingNothing } from '../../support/content';
import { problem } from '../../support/problem';
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
const update = (linkId: string, body: object) =>
  client.PUT('/projects/{projectId}/links/{linkId}', { params: { path: { projectId, linkId } }, body });
const get = async (linkId: string) =>
  (await client.GET('/projects/{projectId}/links/{linkId}', { params: { path: { projectId, linkId } } })).data!.data;

const kinds = [
  {
    field: 'ios_app_id',
    embedded: 'ios_apps',
    unknown: 'IOS_APP_NOT_FOUND',
    anApp: anIosApp,
  },
  {
    field: 'android_app_id',
    embedded: 'android_apps',
    unknown: 'ANDROID_APP_NOT_FOUND',
    anApp: anAndroidApp,
  },
] as const;

describe.each(kinds)('$field', ({ field, embedded, unknown, anApp }) => {
  test("accepts the id of an app of the link's project, in any letter case, on create and update", async () => {
    const [one, two] = [await anApp(on, account.key, projectId), await anApp(on, account.key, projectId)];
    const created = await create({ [field]: one.id.toUpperCase() });
    expect(created.data?.data[field]).toBe(one.id);
    const changed = await update(created.data!.data.id, { [field]: two.id.toUpperCase() });
    expect(changed.data?.data[field]).toBe(two.id);
    expect((await get(created.data!.data.id))[embedded]?.id).toBe(two.id);
  });

  test('accepts null on update to remove the app, but not on create', async () => {
    const app = await anApp(on, account.key, projectId);
    const created = await create({ [field]: app.id });
    const unlinked = await update(created.data!.data.id, { [field]: null });
    expect(unlinked.data).toEqual({
      data: { ...created.data!.data, [field]: null, updated_at: expect.any(String) },
    });
    expect(await get(created.data!.data.id)).toMatchObject({ [field]: null, [embedded]: null });
    const response = await on
      .api('post', `/projects/${projectId}/links`, account.key)
      .send({ name: 'x', [field]: null });
    expect(response).toBeRefusedWith('INVALID_INPUT', [problem('invalid_type', field)]);
  });

  test('is unchanged by an update without it', async () => {
    const app = await anApp(on, account.key, projectId);
    const created = await create({ [field]: app.id });
    const changed = await update(created.data!.data.id, { name: 'Renamed' });
    expect(changed.data?.data[field]).toBe(app.id);
  });

  test('returns 404 for an app that does not exist', async () => {
    const link = await aDynamicLink(on, account.key, projectId);
    const deleted = await anApp(on, account.key, projectId);
    await on
      .api('delete', `/projects/${projectId}/${embedded.replace('_', '-')}/${deleted.id}`, account.key)
      .expect(200);
    for (const id of [unknownId, deleted.id, projectId]) {
      expect(await create({ [field]: id })).toBeRefusedWith(unknown);
      expect(await update(link.id, { [field]: id, name: 'No' })).toBeRefusedWith(unknown);
    }
    expect((await get(link.id)).name).toBe(link['name']);
  });

  test('returns 404 for an app of the other platform', async () => {
    const other = kinds.find((kind) => kind.field !== field)!;
    const app = await other.anApp(on, account.key, projectId);
    expect(await create({ [field]: app.id })).toBeRefusedWith(unknown);
  });

  test.each(['another project of the account', 'another account'])(
    'returns FORBIDDEN_CROSS_SCOPE for an app of %s',
    async (where) => {
      const owner = where === 'another account' ? await on.anAccount() : account;
      const theirs = await aProject(on, owner.key);
      const app = await anApp(on, owner.key, theirs.id);
      const link = await aDynamicLink(on, account.key, projectId);
      expect(await create({ [field]: app.id })).toBeRefusedWith('FORBIDDEN_CROSS_SCOPE');
      expect(await update(link.id, { [field]: app.id, name: 'No' })).toBeRefusedWith('FORBIDDEN_CROSS_SCOPE');
      expect(await get(link.id)).toMatchObject({ [field]: null, name: link['name'] });
      // The app of a deleted project does not exist, even before the purge.
      await on.database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [theirs.id]);
      expect(await create({ [field]: app.id })).toBeRefusedWith(unknown);
      expect(await update(link.id, { [field]: app.id })).toBeRefusedWith(unknown);
      // At once, because later tests wait for the purge.
      await on.service.app.get(ProjectPurge, { strict: false }).sweep();
    },
  );

  test.each(['x', '', `{${unknownId}}`, unknownId.replaceAll('-', ''), 7, true, []])(
    'returns INVALID_INPUT for %j',
    async (value) => {
      const link = await aDynamicLink(on, account.key, projectId);
      const details = [problem(typeof value === 'string' ? 'invalid_format' : 'invalid_type', field)];
      const list = `/projects/${projectId}/links`;
      for (const request of [
        () => on.api('post', list, account.key).send({ name: 'x', [field]: value }),
        () => on.api('put', `${list}/${link.id}`, account.key).send({ [field]: value }),
      ])
        expect(await changingNothing(on, request)).toBeRefusedWith('INVALID_INPUT', details);
    },
  );
});

test('a body with several faults returns the error of the first check', async () => {
  const otherProjectsApp = await anIosApp(on, account.key, (await aProject(on, account.key)).id);
  const free = await on.anAccount('free');
  const own = (await aProject(on, free.key)).id;
  const taken = (await aDynamicLink(on, free.key, own)).custom_path;
  const post = (body: object) => on.api('post', `/projects/${own}/links`, free.key).send({ name: 'x', ...body });
  const deferred = { ios_deferred_deep_link: true, custom_path: taken };
  expect(await post({ ...deferred, ios_app_id: unknownId, android_app_id: 'x' })).toBeRefusedWith('INVALID_INPUT');
  expect(await post({ ...deferred, ios_app_id: unknownId, android_app_id: unknownId })).toBeRefusedWith(
    'IOS_APP_NOT_FOUND',
  );
  expect(await post({ ...deferred, android_app_id: unknownId })).toBeRefusedWith('ANDROID_APP_NOT_FOUND');
  expect(await post({ ...deferred, ios_app_id: otherProjectsApp.id })).toBeRefusedWith('FORBIDDEN_CROSS_SCOPE');
  expect(await post(deferred)).toBeRefusedWith('FORBIDDEN_PLAN');
  expect(await post({ custom_path: taken })).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  const unknownLink = `/projects/${own}/links/${unknownId}`;
  expect(await on.api('put', unknownLink, free.key).send({ ios_app_id: unknownId })).toBeRefusedWith('NOT_FOUND');
});

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

describe('a list of links', () => {
  let project: string;
  let ios: string[];
  let android: string[];
  beforeAll(async () => {
    project = (await aProject(on, account.key)).id;
    ios = [];
    android = [];
    for (let at = 0; at < 2; at++) {
      ios.push((await anIosApp(on, account.key, project)).id);
      android.push((await anAndroidApp(on, account.key, project)).id);
    }
    // Four links for each combination of apps.
    for (const [at, apps] of [
      { ios_app_id: ios[0], android_app_id: android[0] },
      { ios_app_id: ios[0], android_app_id: android[1] },
      { ios_app_id: ios[1] },
      { android_app_id: android[1] },
      {},
    ].entries())
      for (let n = 0; n < 4; n++)
        await aDynamicLink(on, account.key, project, { name: `Combination ${at}, ${n}`, ...apps });
  });

  const list = async (query: object) =>
    (await client.GET('/projects/{projectId}/links', { params: { path: { projectId: project }, query } })).data!;

  test.each([
    ['nothing', () => ({}), 20],
    ['an iOS app', () => ({ ios_app_id: ios[0] }), 8],
    ['an iOS app, in upper case', () => ({ ios_app_id: ios[0]!.toUpperCase() }), 8],
    ['another iOS app', () => ({ ios_app_id: ios[1] }), 4],
    ['an Android app', () => ({ android_app_id: android[1] }), 8],
    ['both apps', () => ({ ios_app_id: ios[0], android_app_id: android[1] }), 4],
    ['two apps that no link combines', () => ({ ios_app_id: ios[1], android_app_id: android[1] }), 0],
    ['an unknown app', () => ({ ios_app_id: unknownId }), 0],
    ['an Android app as iOS app', () => ({ ios_app_id: android[0] }), 0],
    ['an app and a search', () => ({ ios_app_id: ios[0], search: 'combination 0' }), 4],
  ])('can be filtered by %s', async (_, query, total) => {
    const first = await list({ ...query(), limit: 3, sortBy: 'name', sortOrder: 'asc' });
    expect(first.pagination).toMatchObject({ total, totalPages: Math.ceil(total / 3), hasNextPage: total > 3 });
    const all = [];
    for (let page = 1; page <= Math.ceil(total / 3); page++)
      all.push(...(await list({ ...query(), page, limit: 3, sortBy: 'name', sortOrder: 'asc' })).data);
    expect(all).toHaveLength(total);
    expect(new Set(all.map(({ id }) => id)).size).toBe(total);
    for (const [field, app] of Object.entries(query()).filter(([field]) => field.endsWith('_id')))
      for (const link of all) expect(link[field as 'ios_app_id']).toBe((app as string).toLowerCase());
  });

  test("is empty when filtered by another project's app", async () => {
    const app = await anIosApp(on, account.key, projectId);
    await create({ ios_app_id: app.id });
    expect((await list({ ios_app_id: app.id })).pagination.total).toBe(0);
  });

  test.each(['ios_app_id', 'android_app_id'])('returns INVALID_INPUT if %s is not a UUID', async (field) => {
    for (const value of ['x', '', `{${unknownId}}`, '%00']) {
      const response = await on.api('get', `/projects/${project}/links?${field}=${value}`, account.key);
      expect(response).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', field)]);
    }
  });

  test('takes one SQL statement for any number of links', async () => {
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
});
