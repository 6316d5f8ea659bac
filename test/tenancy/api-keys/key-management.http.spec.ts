import { setTimeout as sleep } from 'node:timers/promises';
import type { SignpostClient } from '../../../clients/typescript/src/index';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { looksLikeApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import { LastUseRecorder } from '../../../src/tenancy/api-keys/last-use-recorder';
import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { aClient } from '../../support/client';
import { changingNothing, contentOf } from '../../support/content';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { IdentityProvider } from '../../support/identity-provider';
import { problem } from '../../support/problem';
import { aService, type TestAccount, type TestService } from '../../support/service';

const limit = 20;

let provider: IdentityProvider;
let database: TestDatabase;
let on: TestService;
let replica: TestService;
let account: TestAccount;
let token: string;
let client: SignpostClient;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  database = await createDatabase();
  const environment = { ...provider.environment, API_KEYS_PER_ACCOUNT: String(limit) };
  on = await aService(environment, database);
  replica = await aService(environment, database);
});
afterAll(async () => {
  await on.stop();
  await replica.stop();
  await provider.stop();
  await database.drop();
});
beforeEach(async () => {
  account = await on.anAccount('free');
  token = provider.token(account.accountId);
  client = aClient(on, token);
  // The first request with a token creates its user.
  await on.api('get', '/account', token).expect(200);
});

const keys = '/account/api-keys';
const path = (id: string) => ({ params: { path: { apiKeyId: id } } });

async function aKey(fields: { name?: string; expires_at?: string } = {}) {
  const { data } = await client.POST(keys, { body: { name: 'A key', ...fields } });
  const { key, ...kept } = data!.data;
  return { key: key!, ...kept };
}

const listed = async (query: { page?: number; limit?: number } = {}) =>
  (await client.GET(keys, { params: { query } })).data!;

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

test('a key can be created, listed, read, renamed and revoked, and its secret is shown once', async () => {
  const { data: own } = await client.GET('/account');
  const created = await client.POST(keys, { body: { name: 'CI', expires_at: '2099-12-31T23:59:59+01:00' } });
  const { key: secret, ...kept } = created.data!.data;
  const key = secret!;
  expect(created.response.status).toBe(201);
  expect(created.response.headers.get('location')).toBe(`http://localhost:3000/api/v1/account/api-keys/${kept.id}`);
  expect(looksLikeApiKey(key)).toBe(true);
  expect(kept).toEqual({
    id: expect.any(String),
    name: 'CI',
    scopes: null,
    project_ids: null,
    allowed_networks: null,
    destination_hosts: null,
    publishable: false,
    allowed_origins: null,
    links_per_day: null,
    prefix: key.slice(0, 13),
    user_id: own!.data.user_id,
    created_at: moment,
    last_used_at: null,
    expires_at: '2099-12-31T22:59:59.000Z',
  });
  await on.api('get', '/projects', key).expect(200);
  await on.service.app.get(LastUseRecorder, { strict: false }).flush();

  const read = (await client.GET(`${keys}/{apiKeyId}`, path(kept.id))).data!.data;
  expect(read).toEqual({ ...kept, last_used_at: moment });
  const list = await listed();
  expect(list.data.map(({ id }) => id)).toEqual([kept.id, account.apiKeyId]);
  expect(list.data[0]).toEqual(read);
  expect(JSON.stringify([list, read])).not.toContain(key.slice(13));

  const renamed = await client.PUT(`${keys}/{apiKeyId}`, { ...path(kept.id), body: { name: 'CI/CD' } });
  expect(renamed.data!.data).toEqual({ ...read, name: 'CI/CD' });
  expect((await client.PUT(`${keys}/{apiKeyId}`, { ...path(kept.id), body: {} })).data).toEqual(renamed.data);
  await on.api('get', '/projects', key).expect(200);

  const revoked = await client.DELETE(`${keys}/{apiKeyId}`, path(kept.id));
  expect([revoked.response.status, revoked.data]).toEqual([200, { data: { message: 'API key revoked' } }]);
  expect((await listed()).data.map(({ id }) => id)).toEqual([account.apiKeyId]);
});

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
    const stored = JSON.stringify([await contentOf(database), on.logLines]);
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

  test('after 20 concurrent requests with the same Idempotency-Key', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('twenty')));
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => (body as Created).data);
    const shown = made.filter(({ key }) => key !== null);
    expect([new Set(made.map(({ id }) => id)).size, shown.length]).toEqual([1, 1]);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toBeRefusedWith('IDEMPOTENCY_CONFLICT');
    expect((await listed()).pagination.total).toBe(2);
    await expectNotStored(shown[0]!.key!);
  });

  test('after a retry with an API key, which returns AUTH_REQUIRED', async () => {
    await create('stolen').expect(201);
    const request = on.api('post', keys, account.key).set('Idempotency-Key', 'stolen').send({ name: 'CI' });
    expect(await request).toBeRefusedWith('AUTH_REQUIRED');
  });
});

describe('a revoked key', () => {
  test('soon returns 401 on every replica', async () => {
    const { id, key } = await aKey();
    for (const service of [on, replica]) await service.api('get', '/projects', key).expect(200);
    await on.api('delete', `${keys}/${id}`, token).expect(200);
    for (const service of [on, replica])
      await eventually(async () => (await service.api('get', '/projects', key)).status === 401);
    await sleep(600);
    for (const service of [on, replica])
      expect(await service.api('get', '/projects', key)).toBeRefusedWith('UNAUTHORIZED');
  });

  test('is still named by its short links and listed by the admin command', async () => {
    await on.setPlan(account.accountId, 'pro');
    const { id, key } = await aKey();
    const project = await aProject(on, key);
    const link = await aDynamicLink(on, key, project.id);
    const short = await aShortLink(on, key, project.id, link.id);
    await client.DELETE(`${keys}/{apiKeyId}`, path(id));
    const read = await on.api('get', `/projects/${project.id}/short-links/${short.id}`, token).expect(200);
    expect(read.body).toMatchObject({ data: { created_by_api_key_id: id } });
    const all = await on.service.app.get(ApiKeysService).list(account.accountId);
    expect(all).toContainEqual(expect.objectContaining({ id, revokedAt: expect.any(Date) }));
  });

  test('does not affect the token that revoked it', async () => {
    await client.DELETE(`${keys}/{apiKeyId}`, path(account.apiKeyId));
    expect((await listed()).data).toEqual([]);
  });
});

describe('a change of a key with If-Match', () => {
  const tagOf = async () => (await on.api('get', `${keys}/${account.apiKeyId}`, token).expect(200)).headers['etag']!;
  const rename = (tag: string, name: string) =>
    on.api('put', `${keys}/${account.apiKeyId}`, token).set('If-Match', tag).send({ name });
  const revoke = (tag: string) => on.api('delete', `${keys}/${account.apiKeyId}`, token).set('If-Match', tag);

  test('succeeds for one of ten concurrent requests with the same ETag', async () => {
    const tag = await tagOf();
    await on.api('get', `${keys}/${account.apiKeyId}`, token).set('If-None-Match', tag).expect(304);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => rename(tag, `Name ${at}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toBeRefusedWith('PRECONDITION_FAILED');
    expect(await revoke(tag)).toBeRefusedWith('PRECONDITION_FAILED');
    await revoke(await tagOf()).expect(200);
    expect(await revoke('*')).toBeRefusedWith('NOT_FOUND');
  });
});

describe('an expiry', () => {
  test('makes a key return 401, but the key is listed until it is revoked', async () => {
    const hourMs = 3_600_000;
    const { id, key } = await aKey({ expires_at: new Date(Date.now() + hourMs).toISOString() });
    await on.api('get', '/projects', key).expect(200);
    await database.query('UPDATE api_keys SET expires_at = created_at WHERE id = $1', [id]);
    await eventually(async () => (await on.api('get', '/projects', key)).status === 401);
    const [first] = (await listed()).data;
    expect(first).toMatchObject({ id, expires_at: first!.created_at });
    await on.api('delete', `${keys}/${id}`, token).expect(200);
  });

  test.each([
    ['2099-01-01', 'invalid_format'],
    [null, 'invalid_type'],
    ['2020-01-01T00:00:00Z', 'too_small'],
    [new Date(Date.now() - 1000).toISOString(), 'too_small'],
  ] as const)('of %j returns INVALID_INPUT', async (expires_at, code) => {
    const create = () => on.api('post', keys, token).send({ name: 'CI', expires_at });
    expect(await changingNothing(on, create)).toBeRefusedWith('INVALID_INPUT', [problem(code, 'expires_at')]);
  });
});

describe('the list of keys', () => {
  test('contains the keys of the account and is the same for each of its users', async () => {
    const other = await on.anAccount();
    const theirs = await on.service.app.get(ApiKeysService).create(other.accountId, 'Theirs', null);
    const { id } = await aKey();
    const colleague = aClient(on, provider.token(account.accountId, { sub: 'bob' }));
    expect((await colleague.GET(keys)).data).toEqual(await listed());
    expect((await listed()).data.map(({ id }) => id)).toEqual([id, account.apiKeyId]);
    for (const method of ['get', 'put', 'delete'] as const) {
      const request = () =>
        on.api(method, `${keys}/${theirs.id}`, token).send(method === 'put' ? { name: 'x' } : undefined);
      expect(await changingNothing(on, request)).toBeRefusedWith('NOT_FOUND');
    }
  });
});

describe('a request with an API key', () => {
  test.each<['get' | 'post' | 'put' | 'delete' | 'head', string, object | undefined]>([
    ['get', keys, undefined],
    ['head', keys, undefined],
    ['post', keys, { name: 'Another' }],
    ['get', `${keys}/ID`, undefined],
    ['put', `${keys}/ID`, { name: 'Mine' }],
    ['delete', `${keys}/ID`, undefined],
    ['post', keys, { id: 'forbidden too' }],
    ['get', `${keys}?page=0`, undefined],
    ['get', `${keys}/nonsense`, undefined],
  ])('to %s %s returns 401 AUTH_REQUIRED', async (method, template, body) => {
    const url = template.replace('ID', account.apiKeyId);
    const answer = await changingNothing(on, () => on.api(method, url, account.key).send(body));
    if (method !== 'head') expect(answer).toBeRefusedWith('AUTH_REQUIRED');
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
    const withoutKey = await changingNothing(on, () => on.api(method, url).send(body));
    if (method !== 'head') expect(withoutKey).toBeRefusedWith('UNAUTHORIZED');
    expect(withoutKey.status).toBe(401);
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

  test('is checked after the body', async () => {
    for (let made = 0; made < limit - 1; made++) await aKey();
    const create = (body: object) => on.api('post', keys, token).send(body);
    expect(await create({ name: 'N', expires_at: '2020-01-01T00:00:00Z' })).toBeRefusedWith('INVALID_INPUT');
    expect(await create({ name: '' })).toBeRefusedWith('INVALID_INPUT');
    expect(await create({ name: 'N' })).toBeRefusedWith('ACCESS_DENIED', quota);
  });

  test('does not apply to the admin command', async () => {
    for (let made = 0; made < limit - 1; made++) await aKey();
    await on.service.app.get(ApiKeysService).create(account.accountId, 'From the shell', null);
    expect((await client.GET('/account')).data!.data.quotas.api_keys).toEqual({ limit, used: limit + 1 });
  });
});
