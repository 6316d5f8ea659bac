import type { JournalEntryDto } from '../../../src/tenancy/journal/journal.dto';
import { aDynamicLink, anApiKey, anIosApp, aProject, dataAt } from '../../support/builders';
import { withoutTable } from '../../support/other-session';
import { signInFixture } from '../../support/sign-in-service';
import { fixtureOfEach } from '../../support/fixtures';

const on = signInFixture({ TRUSTED_PROXIES: '127.0.0.1', QUOTA_FREE_DYNAMIC_LINKS: '2' });
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key, { destination_hosts: ['example.com'] }));
const readOnly = fixtureOfEach(() => aKey(['links:read', 'projects:read']));

const token = (subject = 'ann') => on.provider.token(account.accountId, { sub: subject });
const aKey = (scopes: string[]) => anApiKey(on, token('admin'), { scopes });
const entries = (type: string, { key } = account) =>
  dataAt<JournalEntryDto[]>(on, key, `/account/audit-log?type=${type}&limit=100`);
const links = () => `/projects/${project.id}/links`;

test.each<[name: string, send: () => Promise<unknown>, after: object, isOfProject: boolean]>([
  [
    'a key without the scope',
    () => on.api('post', links(), readOnly.key).send({}).expect(403),
    { operation: 'createDynamicLink', code: 'ACCESS_DENIED', details: { required_scope: 'links:create' } },
    false,
  ],
  [
    'a key where people sign in',
    () => on.api('post', '/account/api-keys', account.key).send({ name: 'Key' }).expect(401),
    { operation: 'createApiKey', code: 'AUTH_REQUIRED' },
    false,
  ],
  [
    'a destination that is not allowed',
    () => on.api('post', links(), account.key).send({ name: 'N', desktop_url: 'https://evil.example/' }).expect(403),
    {
      operation: 'createDynamicLink',
      code: 'ACCESS_DENIED',
      details: { destination_host: 'evil.example', field: 'desktop_url', limited_by: 'project' },
    },
    true,
  ],
  [
    'a project of another account',
    async () => {
      const other = await aProject(on, (await on.anAccount()).key);
      await on.api('delete', `/projects/${other.id}`, account.key).expect(403);
    },
    { operation: 'deleteProject', code: 'ACCESS_DENIED' },
    false,
  ],
])('a refused change is one entry per hour: %s', async (_, send, after, isOfProject) => {
  for (let attempt = 0; attempt < 3; attempt++) await send();
  const [entry, ...others] = await entries('request.refused');
  expect(others).toEqual([]);
  const project_id = isOfProject ? project.id : null;
  expect(entry).toMatchObject({ before: null, version: 1, actor: { kind: 'key' }, resource_id: null, project_id });
  expect(entry!.after).toEqual(after);
  await on.database.query(`UPDATE journal_marks SET until = now() WHERE account_id = $1`, [account.accountId]);
  await send();
  expect(await entries('request.refused')).toHaveLength(2);
});

test('a limit that is reached is an event of the account, once a day', async () => {
  const free = await on.anAccount('free');
  await aProject(on, free.key);
  const refused = () => on.api('post', '/projects', free.key).send({ name: 'N', subdomain: 'beyond' }).expect(403);
  for (let attempt = 0; attempt < 2; attempt++) await refused();
  expect(await entries('quota', free)).toMatchObject([
    { type: 'quota.reached', after: { operation: 'createProject', details: { limit: 1, used: 1 } } },
  ]);
});

const bulk = (body: { atomic?: boolean; operations: object[] }, path = links(), { key } = account) =>
  on
    .api('post', `${path}/bulk`, key)
    .send(body)
    .expect(body.atomic ? 409 : 200);

test.each([true, false])('the refused operations of a bulk request are one entry (atomic: %s)', async (atomic) => {
  const to = (host: string) => ({ op: 'create', link: { name: 'N', desktop_url: `https://${host}/` } });
  const { id: ios_app_id } = await anIosApp(on, account.key, (await aProject(on, account.key)).id);
  const foreign = { op: 'create', link: { name: 'N', ios_app_id } };
  const operations = [to('evil.example'), to('example.com'), to('other.example'), foreign, { op: 'create', link: {} }];
  for (let attempt = 0; attempt < 2; attempt++) await bulk({ atomic, operations });
  const [entry, ...others] = await entries('request.refused');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ project_id: project.id, resource_id: null });
  expect(entry!.after).toEqual({
    operation: 'changeDynamicLinks',
    code: 'ACCESS_DENIED',
    details: { refused: 3, codes: { ACCESS_DENIED: 2, FORBIDDEN_CROSS_SCOPE: 1 } },
  });
});

test.each([true, false])('a bulk request that reaches a quota is an event (atomic: %s)', async (atomic) => {
  const free = await on.anAccount('free');
  const { id } = await aProject(on, free.key);
  const operations = Array.from({ length: 3 }, () => ({ op: 'create', link: { name: 'N' } }));
  await bulk({ atomic, operations }, `/projects/${id}/links`, free);
  expect(await entries('quota', free)).toMatchObject([
    { project_id: id, after: { operation: 'changeDynamicLinks', details: { refused: 1, limit: 2 } } },
  ]);
});

test('a bulk request whose operations fail without a refusal has no entry', async () => {
  await bulk({ operations: [{ op: 'create', link: {} }] });
  expect(await entries('request.refused')).toEqual([]);
});

test('refusals are counted for each operation and key', async () => {
  const other = await aKey(['audit:read']);
  for (const { key } of [readOnly, other, readOnly]) {
    await on.api('post', links(), key).send({}).expect(403);
    await on.api('post', `/projects/${project.id}/tags`, key).send({}).expect(403);
  }
  expect(await entries('request.refused')).toHaveLength(4);
});

test('a key has at most 200 entries of a type', async () => {
  await on.database.query(
    `INSERT INTO journal_marks (subject, type, what, account_id, until)
     SELECT $1, 'request.refused', n::text, $2, now() + interval '1 hour' FROM generate_series(1, 200) AS n`,
    [readOnly.id, account.accountId],
  );
  await on.api('post', links(), readOnly.key).send({}).expect(403);
  expect(await entries('request.refused')).toEqual([]);
});

test.each<[name: string, send: () => Promise<unknown>]>([
  ['a refused read', () => on.api('get', '/account/audit-log', readOnly.key).expect(403)],
  ['a request without a credential', () => on.api('post', links()).send({}).expect(401)],
  ['an invalid body', () => on.api('post', links(), account.key).send({}).expect(400)],
  ['an absent resource', () => on.api('delete', `${links()}/${project.id}`, account.key).expect(404)],
])('%s is no entry', async (_, send) => {
  await send();
  expect(await entries('request.refused')).toEqual([]);
});

const from = (address: string, credential: string) =>
  on.api('get', '/account', credential).set('X-Forwarded-For', address).expect(200);

test('the first use of a key from a network is an entry', async () => {
  for (const address of ['192.0.2.1', '192.0.2.77', '198.51.100.1', '2001:db8::1', '2001:db8::2', '192.0.2.1'])
    await from(address, readOnly.key);
  const used = (await entries('api_key.new_network')).filter(({ resource_id }) => resource_id === readOnly.id);
  expect(used.map(({ actor }) => actor.address)).toEqual(['2001:db8::', '198.51.100.0', '192.0.2.0']);
});

test('the first request of a person from a network in 24 hours is an entry', async () => {
  for (const address of ['192.0.2.1', '192.0.2.2', '198.51.100.1', '192.0.2.1']) await from(address, token());
  const byAnn = async () =>
    (await entries('user.signed_in')).filter(({ actor }) => actor.address !== '127.0.0.0').map(({ actor }) => actor);
  expect(await byAnn()).toMatchObject([
    { kind: 'user', address: '198.51.100.0' },
    { kind: 'user', address: '192.0.2.0' },
  ]);
});

test('exports are entries of their project', async () => {
  await aDynamicLink(on, account.key, project.id);
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await on.api('get', `${links()}/export?format=csv`, account.key).expect(200);
  await on.api('get', `/projects/${project.id}/clicks/export?date=${day}`, account.key).expect(200);
  await on.api('get', '/account/audit-log/export?type=link', account.key).expect(200);
  const exports = [...(await entries('link.exported')), ...(await entries('click.exported'))];
  expect(exports).toMatchObject([
    { project_id: project.id, after: { format: 'csv' } },
    { project_id: project.id, after: {} },
  ]);
  expect(await entries('audit_log.exported')).toMatchObject([{ project_id: null, after: { type: 'link' } }]);
});

test('a request whose entry cannot be written gets its answer', async () => {
  await withoutTable(on.database, 'journal_marks', async () => {
    await from('203.0.113.1', account.key);
    await on.api('post', links(), readOnly.key).send({}).expect(403);
  });
  expect(on.logLines.join('')).toContain('was not written (request.refused)');
  await from('203.0.113.1', account.key);
  expect((await entries('api_key.new_network')).map(({ actor }) => actor.address)).toContain('203.0.113.0');
});
