import { request as rawRequest } from 'node:http';
import supertest from 'supertest';
import { aDynamicLink, aProject, type ProjectBody } from '../support/builders';
import { eventually } from '../support/eventually';
import { aService, type TestAccount, type TestService } from '../support/service';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1';
const pixel = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36';

let on: TestService;
let account: TestAccount;
let project: ProjectBody;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  project = await aProject(on, account.key);
  await aDynamicLink(on, account.key, project.id, {
    custom_path: 'summer/Sale_1',
    desktop_url: 'https://example.com/d?keep=%41#part',
    ios_fallback_url: 'https://example.com/i',
    android_fallback_url: 'https://example.com/a',
    referrer_params: { utm_source: 'mail' },
  });
});
afterAll(() => on.stop());

const visit = (path: string, headers: Record<string, string> = {}) => on.visit(project.subdomain, path, headers);

test.each([
  ['desktop', {}, 'https://example.com/d?keep=%41&utm_source=mail#part'],
  ['iOS', { 'User-Agent': iPhone }, 'https://example.com/i?utm_source=mail'],
  ['Android', { 'User-Agent': pixel }, 'https://example.com/a?utm_source=mail'],
  ['Android by client hint', { 'Sec-CH-UA-Platform': '"Android"' }, 'https://example.com/a?utm_source=mail'],
])('%s is redirected', async (_, headers, location) => {
  const response = await visit('/summer/Sale_1', headers);
  expect(response.status).toBe(302);
  expect(response.headers).toMatchObject({
    location,
    'cache-control': 'private, no-store',
    vary: 'User-Agent, Sec-CH-UA-Platform',
    'x-request-id': expect.any(String),
  });
  expect(response.text).toBe('');
});

test('a HEAD request returns the status and headers of the GET', async () => {
  const head = await supertest(on.url)
    .head('/summer/Sale_1')
    .redirects(0)
    .set('Host', `${project.subdomain}.localhost`);
  const get = await visit('/summer/Sale_1');
  expect([head.status, head.headers['location']]).toEqual([302, get.headers['location']]);
  const missing = await supertest(on.url).head('/missing').set('Host', `${project.subdomain}.localhost`);
  expect([missing.status, missing.text ?? '']).toEqual([404, '']);
});

test.each([
  ['percent-encoded letters', '/s%75mmer/%53ale_1'],
  ['a percent-encoded slash', '/summer%2FSale_1'],
  ['capital letters', '/Summer/Sale_1'],
  ['small letters', '/summer/sale_1'],
])('%s name the same path', async (_, path) => {
  expect((await visit(path)).status).toBe(302);
});

test.each([
  ['/'],
  ['/summer/Sale_1//'],
  ['/summer/Sale_1%2F'],
  ['//summer/Sale_1'],
  ['/summer'],
  ['/%ff'],
  ['/%'],
  ['/%00'],
  ['/summer/Sale_1%00'],
  ['/summer/../summer/Sale_1'],
  [`/${'a'.repeat(3000)}`],
  ['/%F0%9F%98%80'],
  ['/%0d%0aSet-Cookie:x=1'],
  ['/api/v1/projects'],
  ['/api/docs'],
  ['/health/live'],
])('%s returns the 404 page', async (path) => {
  const response = await visit(path);
  expect(response.status).toBe(404);
  expect(response.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
});

test.each(['localhost', '127.0.0.1', 'example.com', 'localhost.example.com', `xlocalhost`])(
  'the host %s serves the management API and no links',
  async (host) => {
    const response = await supertest(on.url).get('/summer/Sale_1').redirects(0).set('Host', host);
    expect(response).toBeRefusedWith('NOT_FOUND');
  },
);

test('a request target in absolute form with another host is not a visit', async () => {
  const status = await new Promise((resolve, reject) => {
    const { port } = new URL(on.url);
    const sent = rawRequest({
      port,
      path: 'http://localhost/api/v1/projects',
      headers: { Host: `${project.subdomain}.localhost` },
    });
    sent
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(404);
});

test.each(['post', 'put', 'delete', 'patch', 'options'] as const)('%s is not allowed', async (method) => {
  const response = await supertest(on.url)[method]('/summer/Sale_1').set('Host', `${project.subdomain}.localhost`);
  expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
});

test("a path of one project does not exist on another project's host", async () => {
  const other = await aProject(on, account.key);
  const own = await aDynamicLink(on, account.key, other.id, { custom_path: 'only-here' });
  expect((await on.visit(other.subdomain, '/only-here')).status).toBe(302);
  expect((await visit('/only-here')).status).toBe(404);
  await on.api('delete', `/projects/${other.id}/links/${own.id}`, account.key).expect(200);
  await eventually(async () => (await on.visit(other.subdomain, '/only-here')).status === 404);
});

test('a changed path, subdomain or destination takes effect without a restart', async () => {
  const own = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, own.id, { custom_path: 'before' });
  const url = `/projects/${own.id}/links/${link.id}`;
  await on
    .api('put', url, account.key)
    .send({ custom_path: 'after', desktop_url: 'https://example.com/new' })
    .expect(200);
  await eventually(async () => (await on.visit(own.subdomain, '/before')).status === 404);
  expect((await on.visit(own.subdomain, '/after')).headers['location']).toBe('https://example.com/new');
  await on
    .api('put', `/projects/${own.id}`, account.key)
    .send({ subdomain: `${own.subdomain}-new` })
    .expect(200);
  expect((await on.visit(own.subdomain, '/after')).status).toBe(302);
  await eventually(async () => (await on.visit(`${own.subdomain}-new`, '/after')).status === 302);
});
