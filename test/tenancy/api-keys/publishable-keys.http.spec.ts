import { aProject, created, unique } from '../../support/builders';
import { until } from '../../support/eventually';
import { sendRequest } from '../../support/raw-http';
import type { TestAccount } from '../../support/service';
import { signInFixture } from '../../support/sign-in-service';
import { looksLikeApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import { publishablePerMinute } from '../../../src/management-api/pipeline/request-counter';

let account: TestAccount;
let token: string;
let projectId: string;
let key: { id: string; key: string; prefix: string };
const on = signInFixture({ TRUSTED_PROXIES: '127.0.0.1' });
beforeEach(async () => {
  account = await on.anAccount('enterprise');
  token = on.provider.token(account.accountId);
  ({ id: projectId } = await aProject(on, account.key));
  key = await aKey();
});

const keys = '/account/api-keys';
const page = 'https://shop.example.com';
const evil = 'https://evil.example';
const complete = () => ({
  name: 'Page',
  publishable: true,
  allowed_origins: [page, 'http://localhost:5173'],
  destination_hosts: ['*.example.com'],
  project_ids: [projectId],
});

const aKey = (fields: object = {}) => created<typeof key>(on, token, keys, { ...complete(), ...fields });

const links = () => `/projects/${projectId}/links`;
const link = { name: 'Shared', desktop_url: 'https://shop.example.com/a' };
const create = (body: object = link, origin: string | null = page) => {
  const request = on.api('post', links(), key.key);
  return (origin === null ? request : request.set('Origin', origin)).send(body);
};

test('a page creates links and short links with it', async () => {
  expect(key).toMatchObject({ publishable: true, scopes: ['links:create'], links_per_day: null });
  expect([key.key.slice(0, 8), key.prefix, looksLikeApiKey(key.key)]).toEqual(['svc_pub_', key.key.slice(0, 12), true]);
  const answer = await create().expect(201);
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': page });
  expect(answer.headers['access-control-expose-headers']).toContain('Location');
  const { id } = (answer.body as { data: { id: string } }).data;
  const short = on.api('post', `/projects/${projectId}/short-links`, key.key).set('Origin', page);
  await short.send({ dynamic_link_id: id }).expect(201);
  expect(on.logLines.join('')).not.toContain(key.key);
});

test.each([evil, null, 'null', 'https://shop.example.com.evil.example', 'http://shop.example.com', `${page}:444`])(
  'the origin %j is refused',
  async (origin) => {
    const answer = await create(link, origin);
    expect(answer).toBeRefusedWith('ACCESS_DENIED', { reason: 'origin' });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  },
);

// test/isolation/policy-matrix.http.spec.ts has all operations for a key with the scope links:create.
test.each<['get' | 'put', path: () => string, details: object]>([
  ['get', () => '/account', { reason: 'publishable' }],
  ['put', () => `${links()}/by-external-id/x`, { required_scope: 'links:write' }],
])('it creates links only: %s %s', async (method, path, details) => {
  const answer = await on.api(method, path(), key.key).set('Origin', page);
  expect(answer).toBeRefusedWith('ACCESS_DENIED', details);
});

test.each<[field: string, value: unknown]>([
  ['custom_path', 'login'],
  ['tags', ['a']],
  ['external_id', 'x'],
  ['social_title', 'Sign in'],
  ['social_image_url', 'https://shop.example.com/a.png'],
  ['notes', 'x'],
])('it does not set %s', async (field, value) => {
  expect(await create({ ...link, [field]: value })).toBeRefusedWith('FORBIDDEN_FIELD');
});

test('its links lead to its hosts, in its projects', async () => {
  expect(await create({ name: 'N', desktop_url: 'https://evil.example/' })).toBeRefusedWith('ACCESS_DENIED', {
    destination_host: 'evil.example',
    field: 'desktop_url',
    limited_by: 'api_key',
  });
  const other = await aProject(on, account.key);
  const answer = await on.api('post', `/projects/${other.id}/links`, key.key).set('Origin', page).send(link);
  expect(answer).toBeRefusedWith('ACCESS_DENIED', { reason: 'project' });
});

test('it creates a limited number of links in a day, also at once', async () => {
  key = await aKey({ links_per_day: 3 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403, 403]);
  expect(await create()).toBeRefusedWith('ACCESS_DENIED', expect.objectContaining({ limit: 3, used: 3 }));
  await on.database.query('UPDATE api_key_days SET day = day - 1 WHERE api_key_id = $1', [key.id]);
  await create().expect(201);
});

test('a creation that fails does not count', async () => {
  key = await aKey({ links_per_day: 1 });
  await create({ ...link, ios_app_id: projectId }).expect(404);
  await create().expect(201);
});

test('each network has its own limit per minute', async () => {
  const from = (address: string) => create().set('X-Forwarded-For', address);
  on.clock.stop();
  const statuses = [];
  for (let request = 0; request <= publishablePerMinute; request++) statuses.push((await from('192.0.2.1')).status);
  expect(statuses).toEqual([...Array<number>(publishablePerMinute).fill(201), 429]);
  const refused = await from('192.0.2.1');
  expect(refused.headers).toMatchObject({ 'access-control-allow-origin': page, 'x-ratelimit-limit': '20' });
  await from('198.51.100.1').expect(201);
  on.clock.goOn();
});

test.each<[name: string, fields: object]>([
  ['no origins', { allowed_origins: undefined }],
  ['no hosts', { destination_hosts: undefined }],
  ['no projects', { project_ids: undefined }],
  ['origins of another key', { publishable: undefined }],
  ['a malformed origin', { allowed_origins: ['https://shop.example.com/'] }],
  ['a wildcard', { allowed_origins: ['*'] }],
  ['an origin of no page', { allowed_origins: ['null'] }],
])('a publishable key needs its limits: %s', async (_, fields) => {
  expect(await on.api('post', keys, token).send({ ...complete(), ...fields })).toBeRefusedWith('INVALID_INPUT');
});

test('it keeps its limits, and its successor has them', async () => {
  const update = (body: object) => on.api('put', `${keys}/${key.id}`, token).send(body);
  for (const field of ['allowed_origins', 'destination_hosts', 'project_ids', 'scopes'])
    expect(await update({ [field]: null })).toBeRefusedWith('INVALID_INPUT');
  expect(await update({ scopes: ['links:write'] })).toBeRefusedWith('INVALID_INPUT');
  expect(await update({ publishable: false })).toBeRefusedWith('FORBIDDEN_FIELD');
  await update({ allowed_origins: [evil], links_per_day: 7 }).expect(200);
  await until(async () => (await create(link, evil)).status === 201);
  expect(await created(on, token, `${keys}/${key.id}/rotate`, {})).toMatchObject({
    key: expect.stringMatching(/^svc_pub_/),
    publishable: true,
    allowed_origins: [evil],
    links_per_day: 7,
  });
});

test('a browser may send creations of each page, and nothing else', async () => {
  const preflight = (path: string, method = 'POST') =>
    sendRequest(on.url, `OPTIONS /api/v1${path}`, [
      ['Origin', evil],
      ['Access-Control-Request-Method', method],
    ]);
  for (const path of [links(), `/projects/${unique('p')}/short-links`]) {
    const answer = await preflight(path);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([204, evil]);
    expect((await preflight(path, 'GET')).headers['access-control-allow-origin']).toBeUndefined();
  }
  for (const path of ['/projects', `${links()}/bulk`, `${links()}/x`, '/account'])
    expect((await preflight(path)).headers['access-control-allow-origin']).toBeUndefined();
});
