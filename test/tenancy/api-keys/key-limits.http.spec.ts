import { aProject, unknownId } from '../../support/builders';
import { until, eventually } from '../../support/eventually';
import { IdentityProvider } from '../../support/identity-provider';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { LastUseRecorder } from '../../../src/tenancy/api-keys/last-use-recorder';

interface Key {
  id: string;
  key: string;
  expires_at: string | null;
}

let provider: IdentityProvider;
let on: TestService;
let account: TestAccount;
let token: string;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  on = await aService({ ...provider.environment, TRUSTED_PROXIES: '127.0.0.1' });
  account = await on.anAccount('enterprise');
  token = provider.token(account.accountId);
});
afterAll(async () => {
  await on.stop();
  await provider.stop();
});

const keys = '/account/api-keys';

async function aKey(fields: object, path = keys): Promise<Key> {
  const { body } = await on.api('post', path, token).send(fields).expect(201);
  return (body as { data: Key }).data;
}
const statusOf = async (key: string, path = '/projects'): Promise<number> => (await on.api('get', path, key)).status;

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
  const { key } = await aKey({ name: 'Key', allowed_networks: [network] });
  const answer = await on.api('get', '/account', key).set('X-Forwarded-For', address);
  if (isAccepted) expect(answer.status).toBe(200);
  else expect(answer).toBeRefusedWith('ACCESS_DENIED', { reason: 'network' });
});

test.each(['192.0.2.0/33', '192.0.2', '2001:db8::/129', 'example.com', '192.0.2.0/24/8', ''])(
  '%j is no network',
  async (network) => {
    expect(await on.api('post', keys, token).send({ name: 'Key', allowed_networks: [network] })).toBeRefusedWith(
      'INVALID_INPUT',
    );
  },
);

test('a key of a project sees no other project, and creates none', async () => {
  const [own] = [await aProject(on, account.key), await aProject(on, account.key)];
  const { key } = await aKey({ name: 'Key', project_ids: [own.id] });
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
  const { id, key } = await aKey({ name: 'Key' });
  const update = (body: object) => on.api('put', `${keys}/${id}`, token).send(body).expect(200);
  expect(await statusOf(key)).toBe(200);
  await update({ scopes: ['links:read'] });
  await until(async () => (await statusOf(key)) === 403);
  await update({ scopes: null });
  await until(async () => (await statusOf(key)) === 200);
});

test('a rotated key works until the overlap ends, and its successor has the same limits', async () => {
  const old = await aKey({ name: 'Key', scopes: ['projects:read'] });
  const next = await aKey({ overlap_hours: 2 }, `${keys}/${old.id}/rotate`);
  expect(next).toMatchObject({ name: 'Key', scopes: ['projects:read'], expires_at: null });
  expect([await statusOf(old.key), await statusOf(next.key), await statusOf(next.key, '/account')]).toEqual([
    200, 200, 200,
  ]);
  const { body } = await on.api('get', `${keys}/${old.id}`, token);
  const left = Date.parse((body as { data: Key }).data.expires_at!) - Date.now();
  expect(Math.abs(left - 7_200_000)).toBeLessThan(600_000);
  await aKey({ overlap_hours: 0 }, `${keys}/${next.id}/rotate`);
  await until(async () => (await statusOf(next.key)) === 401);
});

test('a rotated key ends no later than before, and its successor has its life time', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const old = await aKey({ name: 'Key', expires_at });
  const next = await aKey({}, `${keys}/${old.id}/rotate`);
  const { body } = await on.api('get', `${keys}/${old.id}`, token);
  expect((body as { data: Key }).data.expires_at).toBe(expires_at);
  expect(Date.parse(next.expires_at!)).toBeGreaterThanOrEqual(Date.parse(expires_at));
});

test('a holder of a key can revoke it, and other texts get the same answer', async () => {
  const { key } = await aKey({ name: 'Key' });
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const answers = [];
  for (const text of ['nonsense', mistyped, key, key])
    answers.push((await on.api('post', '/api-keys/revoke-leaked').send({ key: text }).expect(200)).body);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  await until(async () => (await statusOf(key)) === 401);
  expect(on.logLines.join('')).not.toContain(key);
});

const projects = (key: string) => on.api('get', '/projects', key);

const lastUseOf = async (id: string): Promise<Date | null> =>
  (await on.database.query<{ last_used_at: Date | null }>('SELECT last_used_at FROM api_keys WHERE id = $1', [id]))[0]!
    .last_used_at;

describe('a revocation', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['by the service', (id) => on.service.app.get(ApiKeysService).revoke(id)],
    ['by another process', (id) => on.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id])],
    ['by deletion', (id) => on.database.query('DELETE FROM api_keys WHERE id = $1', [id])],
  ])('%s soon returns 401 permanently', async (_, revoke) => {
    const { key, apiKeyId } = await on.anAccount();
    await projects(key).expect(200);
    await revoke(apiKeyId);
    await eventually(async () => (await projects(key)).status === 401);
    await sleep(100);
    for (let sent = 0; sent < 2; sent++) expect(await projects(key)).toBeRefusedWith('UNAUTHORIZED');
  });
});

describe('the last use of a key', () => {
  const flush = () => on.service.app.get(LastUseRecorder, { strict: false }).flush();

  test('is null before the first request and then the minute of the latest one', async () => {
    const { key, apiKeyId } = await on.anAccount();
    expect(await lastUseOf(apiKeyId)).toBeNull();
    const minuteOf = (moment: number) => moment - (moment % 60_000);
    for (let use = 0; use < 2; use++) {
      const before = Date.now();
      await projects(key).expect(200);
      await flush();
      const last = (await lastUseOf(apiKeyId))!.getTime();
      expect(last % 60_000).toBe(0);
      expect(last).toBeGreaterThanOrEqual(minuteOf(before));
      expect(last).toBeLessThanOrEqual(minuteOf(Date.now()));
      await on.database.query("UPDATE api_keys SET last_used_at = last_used_at - interval '1 hour' WHERE id = $1", [
        apiKeyId,
      ]);
    }
  });

  test('does not delay requests while its table is locked', async () => {
    const { key } = await on.anAccount();
    await projects(key).expect(200);
    await on.database.query('BEGIN');
    await on.database.query('LOCK TABLE api_keys IN EXCLUSIVE MODE');
    try {
      const writing = flush();
      // It is answered before the lock is released.
      await projects(key).expect(200);
      await on.database.query('COMMIT');
      await writing;
    } finally {
      await on.database.query('ROLLBACK');
    }
  });
});
