import type { SignpostClient } from '../../../clients/typescript/src/index';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { looksLikeApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import { LastUseRecorder } from '../../../src/tenancy/api-keys/last-use-recorder';
import { aDynamicLink, anApiKey, aProject, aShortLink, dataAt } from '../../support/builders';
import { aClient } from '../../support/client';
import { changingNothing, contentOf } from '../../support/content';
import { eventually } from '../../support/eventually';
import { problem } from '../../support/problem';
import { aService, type TestAccount } from '../../support/service';
import { aSignInService } from '../../support/sign-in-service';
import { fixture } from '../../support/fixtures';

const limit = 20;
let account: TestAccount;
let token: string;
let client: SignpostClient;
const on = fixture(() => aSignInService({ API_KEYS_PER_ACCOUNT: String(limit) }));
const replica = fixture(() =>
  aService({ ...on.provider.environment, API_KEYS_PER_ACCOUNT: String(limit) }, on.database),
);
beforeEach(async () => {
  account = await on.anAccount('free');
  token = on.provider.token(account.accountId);
  client = aClient(on, token);
  // The first request with a token creates its user.
  await on.api('get', '/account', token).expect(200);
});

const keys = '/account/api-keys';
const aKey = (fields: object = {}) => anApiKey(on, token, fields);

const listed = async (query: { page?: number; limit?: number } = {}) =>
  (await client.GET(keys, { params: { query } })).data!;

describe('the secret of a created key is in one response and in no table or log line', () => {
  const create = (idempotencyKey: string | undefined, name = 'CI') => {
    const request = on.api('post', keys, token).send({ name });
    return idempotencyKey === undefined ? request : request.set('Idempotency-Key', idempotencyKey);
  };
  interface Created {
    data: { id: string; key: string | null };
  }

  /** Expects only the prefix of the key in tables and logs. */
  async function expectNotStored(key: string): Promise<void> {
    const stored = JSON.stringify([await contentOf(on.database), on.logLines]);
    expect(stored).toContain(key.slice(0, 13));
    expect(stored).not.toContain(key.slice(13));
  }

  test.each([
    ['without an Idempotency-Key', undefined],
    ['with an Idempotency-Key', 'once'],
  ])('%s', async (_, idempotencyKey) => {
    const { data } = (await create(idempotencyKey).expect(201)).body as Created;
    expect(looksLikeApiKey(data.key!)).toBe(true);
    await expectNotStored(data.key!);
  });

  test('after a retry with the same Idempotency-Key, which returns null as the secret', async () => {
    const first = await create('again').expect(201);
    const { data } = first.body as Created;
    for (const service of [on, replica]) {
      const request = () =>
        service.api('post', keys, token).set('Idempotency-Key', 'again').send({ name: 'CI' }).expect(201);
      const again = await changingNothing(on, request);
      expect(again.body).toEqual({ data: { ...data, key: null } });
      expect(again.headers).toMatchObject({ location: first.headers['location'], 'idempotent-replayed': 'true' });
    }
    await expectNotStored(data.key!);
    await on.api('get', '/projects', data.key!).expect(200);
  });
});

test('a revoked key is still named by its short links and listed by the admin command', async () => {
  await on.setPlan(account.accountId, 'pro');
  const { id, key } = await aKey();
  const project = await aProject(on, key);
  const link = await aDynamicLink(on, key, project.id);
  const short = await aShortLink(on, key, project.id, link.id);
  await on.api('delete', `${keys}/${id}`, token).expect(200);
  const read = await dataAt(on, token, `/projects/${project.id}/short-links/${short.id}`);
  expect(read).toMatchObject({ created_by_api_key_id: id });
  const all = await on.service.app.get(ApiKeysService).list(account.accountId);
  expect(all).toContainEqual(expect.objectContaining({ id, revokedAt: expect.any(Date) }));
});

describe('an expiry', () => {
  test('makes a key return 401, but the key is listed until it is revoked', async () => {
    const { id, key } = await aKey({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    await on.api('get', '/projects', key).expect(200);
    await on.database.query('UPDATE api_keys SET expires_at = created_at WHERE id = $1', [id]);
    await eventually(async () => (await on.api('get', '/projects', key)).status === 401);
    const [first] = (await listed()).data;
    expect(first).toMatchObject({ id, expires_at: first!.created_at });
    await on.api('delete', `${keys}/${id}`, token).expect(200);
  });

  test('in the past is refused', async () => {
    const create = () => on.api('post', keys, token).send({ name: 'CI', expires_at: '2020-01-01T00:00:00Z' });
    expect(await changingNothing(on, create)).toBeRefusedWith('INVALID_INPUT', [problem('too_small', 'expires_at')]);
  });
});

describe('the key limit', () => {
  const quota = { limit, used: limit, current_plan: 'free', required_plan: null };

  test('is exact for concurrent requests, and a revocation allows another key', async () => {
    const create = () => on.api('post', keys, token).send({ name: 'One more' });
    const answers = await Promise.all(Array.from({ length: 40 }, create));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit - 1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toBeRefusedWith('ACCESS_DENIED', quota);
    expect((await listed()).pagination.total).toBe(limit);
    expect(await changingNothing(on, create)).toBeRefusedWith('ACCESS_DENIED', quota);
    const last = (await listed()).data[0]!;
    await on.api('delete', `${keys}/${last.id}`, token).expect(200);
    await create().expect(201);
    expect(await create()).toBeRefusedWith('ACCESS_DENIED', quota);
  });

  test('does not apply to the admin command', async () => {
    for (let made = 0; made < limit - 1; made++) await aKey();
    await on.service.app.get(ApiKeysService).create(account.accountId, 'From the shell', null);
    expect((await client.GET('/account')).data!.data.quotas.api_keys).toEqual({ limit, used: limit + 1 });
  });
});

test('the last use of a key is shown', async () => {
  const { id, key } = await aKey();
  await on.api('get', '/projects', key).expect(200);
  await on.service.app.get(LastUseRecorder, { strict: false }).flush();
  const { last_used_at: lastUse } = await dataAt<{ last_used_at: string }>(on, token, `${keys}/${id}`);
  expect(lastUse).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
});
