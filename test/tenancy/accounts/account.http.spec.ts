import { aDelivery, aDynamicLink, anApiKey, aProject, aShortLink, aWebhook } from '../../support/builders';
import { aClient } from '../../support/client';
import { eventually } from '../../support/eventually';
import { aService } from '../../support/service';
import { signInFixture } from '../../support/sign-in-service';
import { statementsOf } from '../../support/statements';

const on = signInFixture({ QUOTA_PRO_DYNAMIC_LINKS: '7', API_KEYS_PER_ACCOUNT: '5' });

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

describe('the work in GET /service-health', () => {
  const workOf = async (credential: string) => (await aClient(on, credential).GET('/service-health')).data!.data;
  const quiet = (name: string) => ({ name, waiting: 0, waiting_since: null, failed: 0, healthy: true });

  test('is that of the account alone', async () => {
    const account = await on.anAccount('enterprise');
    const other = await on.anAccount();
    const { id } = await aProject(on, account.key);
    const webhook = await aWebhook(on, account.key);
    const deliveryId = await aDelivery(on, webhook.id);
    const anImportIn = (
      state: string,
      finished: string,
    ) => `INSERT INTO imports (id, project_id, source, format, conflict_policy, options, state, finished_at)
      VALUES (gen_random_uuid(), '${id}', 'csv', 'csv', 'skip', '{}', '${state}', ${finished}) RETURNING id`;
    await on.database.query(anImportIn('failed', `now() - interval '23 hours'`));
    await on.database.query(anImportIn('failed', `now() - interval '25 hours'`));
    const [running] = await on.database.query<{ id: string }>(anImportIn('running', 'NULL'));
    await on.database.query(
      `INSERT INTO import_jobs (queue, import_id, place, start_after, taken_until) VALUES
       ('slices', $1, 1, now() - interval '2 hours', NULL), ('lists', $1, 1, now() + interval '1 hour', NULL),
       ('lists', $1, 1, now() - interval '3 hours', now() + interval '1 hour')`,
      [running!.id],
    );
    await on.database.query(`UPDATE webhook_deliveries SET state = 'failed', last_attempt_at = now() WHERE id = $1`, [
      deliveryId,
    ]);
    await on.database.query(
      `INSERT INTO custom_domains (id, project_id, hostname, challenge, verified_at, next_check_at, record_missing_since) VALUES
       (gen_random_uuid(), $1, 'lost.example.com', 'x', now(), now() + interval '1 day', now()),
       (gen_random_uuid(), $1, 'due.example.com', 'x', now(), now() - interval '1 minute', NULL)`,
      [id],
    );
    const { queues } = await workOf(account.key);
    expect(queues).toMatchObject([
      { name: 'imports', waiting: 1, failed: 1, healthy: false },
      { name: 'webhook_deliveries', waiting: 0, failed: 1, healthy: false },
      { name: 'domain_checks', waiting: 1, failed: 1, healthy: false },
    ]);
    expect(Date.parse(queues![0]!.waiting_since!)).toBeLessThan(Date.now() - 7_000_000);
    expect((await workOf(other.key)).queues).toMatchObject([
      quiet('imports'),
      quiet('webhook_deliveries'),
      quiet('domain_checks'),
    ]);
  });

  test.each([
    ['a scope', () => ({ scopes: ['links:read'] }), false],
    ['a project', (id: string) => ({ project_ids: [id] }), false],
    ['the scope of the audit log', () => ({ scopes: ['audit:read'] }), true],
  ])('is shown to a key that is limited to %s: %#', async (_, limits, isShown) => {
    const account = await on.anAccount('enterprise');
    const { id } = await aProject(on, account.key);
    const limited = await anApiKey(on, on.provider.token(account.accountId), limits(id));
    expect((await workOf(limited.key)).queues !== null).toBe(isShown);
  });

  test('names the processes on the database with their versions, and the regions', async () => {
    const { key } = await on.anAccount();
    await on.database.query(
      `INSERT INTO regions (code, name, writer, heartbeat_at) VALUES
       (1, 'sydney', gen_random_uuid(), clock_timestamp()), (2, 'dublin', gen_random_uuid(), clock_timestamp() - interval '2 minutes')`,
    );
    const second = await aService({}, on.database);
    const { replicas, regions, version } = await workOf(key);
    expect(replicas.map((replica) => replica.version)).toEqual([version, version]);
    expect(regions).toMatchObject([
      { name: 'sydney', healthy: true },
      { name: 'dublin', healthy: false },
    ]);
    await second.stop();
    await eventually(async () => (await workOf(key)).replicas.length === 1);
    await on.database.query('DELETE FROM regions');
  });
});

test('GET /account returns the plan, its features and its quotas', async () => {
  const { key, accountId, userId } = await on.anAccount('pro');
  expect(await accountOf(key)).toEqual({
    id: accountId,
    name: 'Account on pro',
    plan: 'pro',
    features: ['short_links', 'deferred_deep_links'],
    quotas: {
      projects: { limit: 10, used: 0 },
      dynamic_links: { limit: 7, used: 0 },
      import_bytes: { limit: 1_000_000_000, used: 0 },
      picture_bytes: { limit: 1_000_000_000, used: 0 },
      api_keys: { limit: 5, used: 1 },
    },
    user_id: userId,
    access: { role: 'owner', project_roles: {}, scopes: null, project_ids: null, frozen: false },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

test('access has the limits of a key', async () => {
  const { accountId, key } = await on.anAccount();
  const { id } = await aProject(on, key);
  const limits = { scopes: ['links:read'], project_ids: [id] };
  const limited = await anApiKey(on, on.provider.token(accountId), limits);
  expect((await accountOf(limited.key)).access).toEqual({ role: 'owner', project_roles: {}, ...limits, frozen: false });
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
  const token = on.provider.token(account.accountId);
  const { id } = await anApiKey(on, token);
  expect(await used()).toEqual([1, 0, 2]);
  await on.api('delete', `/account/api-keys/${id}`, token).expect(200);
  expect(await used()).toEqual([1, 0, 1]);
});

test('GET /account reads stored counts instead of counting links', async () => {
  const { key } = await on.anAccount('enterprise');
  await aDynamicLink(on, key, (await aProject(on, key)).id);
  const statements = await statementsOf(on, () => accountOf(key));
  expect(statements.length).toBeGreaterThan(1);
  expect(statements.join()).not.toMatch(/(FROM|JOIN) (dynamic_links|link_paths)/);
});

test('the resources of an erased user stay with the account, and its keys still create others', async () => {
  const account = await on.anAccount();
  const project = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, project.id);
  const short = await aShortLink(on, account.key, project.id, link.id);
  await on.database.query('DELETE FROM users WHERE id = $1', [account.userId]);

  const list = await on.api('get', '/projects', account.key).expect(200);
  expect(list.body.data).toEqual([{ ...project, _count: { dynamic_links: 1 } }]);
  const { body } = await on.api('get', `/projects/${project.id}/short-links/${short.id}`, account.key).expect(200);
  expect(body.data).toEqual(short);
  await on.visit(project.subdomain, `/${link.custom_path}`).expect(302);

  const another = await aProject(on, account.key);
  const anotherLink = await aDynamicLink(on, account.key, another.id);
  await aShortLink(on, account.key, another.id, anotherLink.id);
  await aProject(on, await on.anotherKey(account.accountId));
});
