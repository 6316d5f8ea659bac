import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { aClient } from '../../support/client';
import { IdentityProvider } from '../../support/identity-provider';
import { aService, type TestService } from '../../support/service';
import { statementsOf } from '../../support/statements';

let provider: IdentityProvider;
let on: TestService;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  on = await aService({
    ...provider.environment,
    QUOTA_FREE_PROJECTS: '0',
    QUOTA_PRO_DYNAMIC_LINKS: '7',
    API_KEYS_PER_ACCOUNT: '5',
  });
});
afterAll(async () => {
  await on.stop();
  await provider.stop();
});

async function accountOf(credential: string) {
  const { data, response } = await aClient(on, credential).GET('/account');
  expect(response.status).toBe(200);
  return data!.data;
}

test('GET /service-health returns the version and what the process depends on', async () => {
  const { key } = await on.anAccount();
  const { data } = await aClient(on, key).GET('/service-health');
  const { version, status, dependencies } = data!.data;
  expect([version, status]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/), 'ready']);
  expect(dependencies.map(({ name, state, healthy }) => [name, state, healthy])).toEqual([
    ['database', 'up', true],
    ['migrations', 'done', true],
    ['change_listener', 'up', true],
    ['redis', 'unused', true],
    ['clickhouse', 'unused', true],
  ]);
});

test.each([
  ['free', [], { projects: 0, dynamic_links: 100, import_bytes: 100_000_000, picture_bytes: 20_000_000, api_keys: 5 }],
  [
    'pro',
    ['short_links', 'deferred_deep_links'],
    { projects: 10, dynamic_links: 7, import_bytes: 1_000_000_000, picture_bytes: 1_000_000_000, api_keys: 5 },
  ],
  [
    'enterprise',
    ['short_links', 'deferred_deep_links'],
    { projects: null, dynamic_links: null, import_bytes: 10_000_000_000, picture_bytes: 10_000_000_000, api_keys: 5 },
  ],
] as const)(
  'GET /account with a key on the %s plan returns the plan, its features and its quotas',
  async (plan, features, limits) => {
    const { key, accountId, userId } = await on.anAccount(plan);
    expect(await accountOf(key)).toEqual({
      id: accountId,
      name: `Account on ${plan}`,
      plan,
      features,
      quotas: {
        projects: { limit: limits.projects, used: 0 },
        dynamic_links: { limit: limits.dynamic_links, used: 0 },
        import_bytes: { limit: limits.import_bytes, used: 0 },
        picture_bytes: { limit: limits.picture_bytes, used: 0 },
        api_keys: { limit: limits.api_keys, used: 1 },
      },
      user_id: userId,
      access: { role: 'owner', project_roles: {}, scopes: null, project_ids: null, frozen: false },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  },
);

test('GET /account with a token returns the same account and the user of the token', async () => {
  const { key, accountId } = await on.anAccount();
  const { user_id: keyUser, ...withKey } = await accountOf(key);
  const { user_id: tokenUser, ...withToken } = await accountOf(provider.token(accountId));
  expect(withToken).toEqual(withKey);
  expect(tokenUser).not.toBe(keyUser);
  const [row] = await on.database.query('SELECT account_id FROM users WHERE id = $1', [tokenUser]);
  expect(row).toEqual({ account_id: accountId });
});

test('access has the limits of a key', async () => {
  const account = await on.anAccount();
  const { id } = await aProject(on, account.key);
  const { body } = await on
    .api('post', '/account/api-keys', provider.token(account.accountId))
    .send({ name: 'Key', scopes: ['links:read'], project_ids: [id] })
    .expect(201);
  const { access } = await accountOf((body as { data: { key: string } }).data.key);
  expect(access).toEqual({
    role: 'owner',
    project_roles: {},
    scopes: ['links:read'],
    project_ids: [id],
    frozen: false,
  });
});

test('quota usage includes all projects of the account and no others', async () => {
  const account = await on.anAccount();
  const other = await on.anAccount();
  await aDynamicLink(on, other.key, (await aProject(on, other.key)).id);
  const used = async () => {
    const { projects, dynamic_links: links, api_keys: keys } = (await accountOf(account.key)).quotas;
    return [projects.used, links.used, keys.used];
  };
  const [one, two] = [await aProject(on, account.key), await aProject(on, account.key)];
  const link = await aDynamicLink(on, account.key, one.id);
  for (let made = 0; made < 3; made++) await aDynamicLink(on, account.key, two.id);
  expect(await used()).toEqual([2, 4, 1]);
  await on.api('delete', `/projects/${one.id}/links/${link.id}`, account.key).expect(200);
  expect(await used()).toEqual([2, 3, 1]);
  await on.api('delete', `/projects/${two.id}`, account.key).expect(200);
  expect(await used()).toEqual([1, 0, 1]);
  const token = provider.token(account.accountId);
  const made = await on.api('post', '/account/api-keys', token).send({ name: 'Second' }).expect(201);
  expect(await used()).toEqual([1, 0, 2]);
  await on.api('delete', `/account/api-keys/${(made.body as { data: { id: string } }).data.id}`, token).expect(200);
  expect(await used()).toEqual([1, 0, 1]);
});

test('GET /account reads stored counts instead of counting links', async () => {
  const { key } = await on.anAccount('enterprise');
  await aDynamicLink(on, key, (await aProject(on, key)).id);
  const statements = await statementsOf(on, () => accountOf(key));
  expect(statements.length).toBeGreaterThan(1);
  expect(statements.join()).not.toMatch(/(FROM|JOIN) (dynamic_links|link_paths)/);
});

const erase = (userId: string) => on.database.query('DELETE FROM users WHERE id = $1', [userId]);

test('the resources of an erased user stay with the account, and its key still creates others', async () => {
  const account = await on.anAccount();
  const project = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, project.id);
  const short = await aShortLink(on, account.key, project.id, link.id);
  await erase(account.userId);

  const list = await on.api('get', '/projects', account.key).expect(200);
  expect(list.body.data).toEqual([{ ...project, _count: { dynamic_links: 1 } }]);
  const { body } = await on.api('get', `/projects/${project.id}/short-links/${short.id}`, account.key).expect(200);
  expect(body.data).toEqual(short);
  await on.visit(project.subdomain, `/${link.custom_path}`).expect(302);

  const another = await aProject(on, account.key);
  const anotherLink = await aDynamicLink(on, account.key, another.id);
  await aShortLink(on, account.key, another.id, anotherLink.id);
});

test('the shell creates keys for an account whose users were all erased', async () => {
  const account = await on.anAccount();
  await erase(account.userId);
  const keys = on.service.app.get(ApiKeysService, { strict: false });
  const { secret } = await keys.create(account.accountId, 'Shell', null);
  await aProject(on, secret);
});
