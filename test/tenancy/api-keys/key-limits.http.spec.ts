import { aProject, anApiKey, created, dataAt, unknownId } from '../../support/builders';
import { until, eventually } from '../../support/eventually';
import { signInFixture } from '../../support/sign-in-service';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { LastUseRecorder } from '../../../src/tenancy/api-keys/last-use-recorder';
import { fixture } from '../../support/fixtures';

type Key = Awaited<ReturnType<typeof anApiKey>>;
let token: string;
const on = signInFixture({ TRUSTED_PROXIES: '127.0.0.1' });
const account = fixture(() => on.anAccount('enterprise'));
beforeAll(async () => {
  token = on.provider.token(account.accountId);
});

const keys = '/account/api-keys';
const aKey = (fields: object = {}): Promise<Key> => anApiKey(on, token, fields);
const rotated = (id: string, body: object): Promise<Key> => created(on, token, `${keys}/${id}/rotate`, body);
const statusOf = async (key: string): Promise<number> => (await on.api('get', '/projects', key)).status;

test.each([
  ['192.0.2.0/24', '192.0.2.77', true],
  ['192.0.2.0/24', '192.0.3.1', false],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '::ffff:192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:DB8::/32', '2001:db8:1::1', true],
  ['2001:db8::1/128', '2001:db8::2', false],
  ['2001:db8::1', '[2001:db8::1]:5123', true],
  // An IPv4 address is ::ffff:192.0.2.7, too.
  ['::/0', '192.0.2.7', true],
])('a key of the network %s, used from %s: %s', async (network, address, isAccepted) => {
  const { key } = await aKey({ allowed_networks: [network] });
  const answer = await on.api('get', '/account', key).set('X-Forwarded-For', address);
  if (isAccepted) expect(answer.status).toBe(200);
  else expect(answer).toBeRefusedWith('ACCESS_DENIED', { reason: 'network' });
});

test.each(['192.0.2.0/33', '192.0.2', '2001:db8::/129', 'example.com', '192.0.2.0/24/8', ''])(
  '%j is no network',
  async (network) => {
    const answer = await on.api('post', keys, token).send({ name: 'Key', allowed_networks: [network] });
    expect(answer).toBeRefusedWith('INVALID_INPUT');
  },
);

test('a key of a project sees no other project, and creates none', async () => {
  const [own] = [await aProject(on, account.key), await aProject(on, account.key)];
  const { key } = await aKey({ project_ids: [own.id] });
  const { body } = await on.api('get', '/projects', key).expect(200);
  expect(body).toMatchObject({ data: [{ id: own.id }], pagination: { total: 1 } });
  // Whether a project exists does not show.
  expect(await on.api('get', `/projects/${unknownId}`, key)).toBeRefusedWith('ACCESS_DENIED', { reason: 'project' });
});

test('projects of a key belong to the account', async () => {
  const foreign = await aProject(on, (await on.anAccount()).key);
  const body = (id: string) => ({ name: 'Key', project_ids: [id] });
  expect(await on.api('post', keys, token).send(body(foreign.id))).toBeRefusedWith('FORBIDDEN_CROSS_SCOPE');
  expect(await on.api('post', keys, token).send(body(unknownId))).toBeRefusedWith('NOT_FOUND');
});

test('changed limits apply within a second, and null removes them', async () => {
  const { id, key } = await aKey();
  const update = (body: object) => on.api('put', `${keys}/${id}`, token).send(body).expect(200);
  expect(await statusOf(key)).toBe(200);
  await update({ scopes: ['links:read'] });
  await until(async () => (await statusOf(key)) === 403);
  await update({ scopes: null });
  await until(async () => (await statusOf(key)) === 200);
});

test('a rotated key works until the overlap ends, and its successor has the same limits', async () => {
  const old = await aKey({ scopes: ['projects:read'] });
  const next = await rotated(old.id, { overlap_hours: 2 });
  expect(next).toMatchObject({ name: 'Key', scopes: ['projects:read'], expires_at: null });
  expect([await statusOf(old.key), await statusOf(next.key)]).toEqual([200, 200]);
  const left = Date.parse((await dataAt<Key>(on, token, `${keys}/${old.id}`)).expires_at!) - Date.now();
  expect(Math.abs(left - 7_200_000)).toBeLessThan(600_000);
  await rotated(next.id, { overlap_hours: 0 });
  await until(async () => (await statusOf(next.key)) === 401);
});

test('a rotated key ends no later than before, and its successor has its life time', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const old = await aKey({ expires_at });
  const next = await rotated(old.id, {});
  expect((await dataAt<Key>(on, token, `${keys}/${old.id}`)).expires_at).toBe(expires_at);
  expect(Date.parse(next.expires_at!)).toBeGreaterThanOrEqual(Date.parse(expires_at));
});

test('a holder of a key can revoke it, and other texts get the same answer', async () => {
  const { key } = await aKey();
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const answers = [];
  for (const text of ['nonsense', mistyped, key, key])
    answers.push((await on.api('post', '/api-keys/revoke-leaked').send({ key: text }).expect(200)).body);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await until(async () => (await statusOf(key)) === 401);
  expect(on.logLines.join('')).not.toContain(key);
});

const projects = (key: string) => on.api('get', '/projects', key);

test.each<[string, (id: string) => Promise<unknown>]>([
  ['by the service', (id) => on.service.app.get(ApiKeysService).revoke(id)],
  ['by another process', (id) => on.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id])],
  ['by deletion', (id) => on.database.query('DELETE FROM api_keys WHERE id = $1', [id])],
])('a revocation %s soon returns 401 permanently', async (_, revoke) => {
  const { key, apiKeyId } = await on.anAccount();
  await projects(key).expect(200);
  await revoke(apiKeyId);
  await eventually(async () => (await projects(key)).status === 401);
  await sleep(100);
  for (let sent = 0; sent < 2; sent++) expect(await projects(key)).toBeRefusedWith('UNAUTHORIZED');
});

test('the last use of a key does not delay requests while its table is locked', async () => {
  const { key } = await on.anAccount();
  await projects(key).expect(200);
  await on.database.query('BEGIN');
  await on.database.query('LOCK TABLE api_keys IN EXCLUSIVE MODE');
  try {
    const writing = on.service.app.get(LastUseRecorder, { strict: false }).flush();
    // It is answered before the lock is released.
    await projects(key).expect(200);
    await on.database.query('COMMIT');
    await writing;
  } finally {
    await on.database.query('ROLLBACK');
  }
});
