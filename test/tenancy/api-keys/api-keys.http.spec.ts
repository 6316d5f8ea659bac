import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { LastUseRecorder } from '../../../src/tenancy/api-keys/last-use-recorder';
import { newId } from '../../../src/shared/id';
import { aProject, unique } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';

let on: TestService;
let apiKeys: ApiKeysService;
beforeAll(async () => {
  on = await aService();
  apiKeys = on.service.app.get(ApiKeysService);
});
afterAll(() => on.stop());

const projects = (key: string) => on.api('get', '/projects', key);

const lastUseOf = async (id: string): Promise<Date | null> =>
  (await on.database.query<{ last_used_at: Date | null }>('SELECT last_used_at FROM api_keys WHERE id = $1', [id]))[0]!
    .last_used_at;

test('the database stores only the digest and the prefix of a key', async () => {
  const { accountId } = await on.anAccount();
  const { id, secret, prefix } = await apiKeys.create(accountId, 'Kept', null);
  const [row] = await on.database.query('SELECT * FROM api_keys WHERE id = $1', [id]);
  const tables = await on.database.query<{ text: string }>(
    // Rows as text, because XML has no infinite times.
    `SELECT query_to_xml('SELECT t::text FROM ' || oid::regclass || ' t', true, false, '')::text AS text FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const randomPart = secret.slice(prefix.length);
  for (const { text } of tables) {
    expect(text).not.toContain(randomPart);
    expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, 40));
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  }
  expect(tables.map(({ text }) => text).join()).toContain(prefix);
  expect((row!['digest'] as Buffer).length).toBe(32);
  expect(prefix).toBe(secret.slice(0, 13));
});

describe('an expiry', () => {
  test('in the past returns 401, and one in the future does not', async () => {
    const { accountId } = await on.anAccount();
    const future = await apiKeys.create(accountId, 'Future', new Date(Date.now() + 3_600_000));
    const past = await apiKeys.create(accountId, 'Past', new Date(Date.now() - 1));
    await projects(future.secret).expect(200);
    expect(await projects(past.secret)).toBeRefusedWith('UNAUTHORIZED');
  });

  test('applies on time to a key that is in use', async () => {
    const { accountId } = await on.anAccount();
    const { id, secret } = await apiKeys.create(accountId, 'Short', new Date(Date.now() + 3_600_000));
    const pass = (minutes: number) =>
      on.database.query('UPDATE api_keys SET expires_at = expires_at - make_interval(mins => $2) WHERE id = $1', [
        id,
        minutes,
      ]);
    await projects(secret).expect(200);
    await pass(58);
    await projects(secret).expect(200);
    await pass(3);
    await eventually(async () => (await projects(secret)).status === 401);
    expect(await projects(secret)).toBeRefusedWith('UNAUTHORIZED');
  });
});

describe('a revocation', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['by the service', (id) => apiKeys.revoke(id)],
    ['by another process', (id) => on.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id])],
    ['by deletion', (id) => on.database.query('DELETE FROM api_keys WHERE id = $1', [id])],
  ])('%s soon returns 401 permanently', async (_, revoke) => {
    const { key, apiKeyId } = await on.anAccount();
    await projects(key).expect(200);
    await revoke(apiKeyId);
    await eventually(async () => (await projects(key)).status === 401);
    await sleep(100);
    for (let sent = 0; sent < 5; sent++) expect(await projects(key)).toBeRefusedWith('UNAUTHORIZED');
  });

  test('does not affect the other keys of the account', async () => {
    const { accountId, key, apiKeyId } = await on.anAccount();
    const other = await apiKeys.create(accountId, 'Other', null);
    await apiKeys.revoke(apiKeyId);
    expect(await projects(key)).toBeRefusedWith('UNAUTHORIZED');
    await projects(other.secret).expect(200);
  });

  test('does not change the time of an earlier revocation', async () => {
    const { apiKeyId } = await on.anAccount();
    const first = await apiKeys.revoke(apiKeyId);
    await sleep(5);
    expect(await apiKeys.revoke(apiKeyId)).toEqual(first);
  });

  test('of an unknown key throws NOT_FOUND', async () => {
    await expect(apiKeys.revoke(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test.each<[string, (accountId: string) => Promise<unknown>]>([
  ['by the service', (accountId) => on.setPlan(accountId, 'pro')],
  ['by another process', (id) => on.database.query("UPDATE accounts SET plan = 'pro' WHERE id = $1", [id])],
])('a change of plan %s applies soon', async (_, change) => {
  const { accountId, key } = await on.anAccount('free');
  const { id } = await aProject(on, key);
  const create = () => on.api('post', `/projects/${id}/links`, key).send({ name: 'N', ios_deferred_deep_link: true });
  expect(await create()).toBeRefusedWith('FORBIDDEN_PLAN');
  await change(accountId);
  await eventually(async () => (await create()).status === 201);
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

  test('includes failed requests with a valid key', async () => {
    const { key, apiKeyId } = await on.anAccount();
    await on
      .api('post', '/projects', key)
      .send({ name: '', subdomain: unique('l') })
      .expect(400);
    await flush();
    expect(await lastUseOf(apiKeyId)).not.toBeNull();
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
