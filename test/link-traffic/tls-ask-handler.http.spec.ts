import type { CustomDomain } from '../../clients/typescript/src/index';
import { aCustomDomain, aProject, aVerifiedDomain, type ProjectBody, unique } from '../support/builders';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { aServiceOfTest, dnsFixture, serviceFixture } from '../support/fixtures';

const dns = dnsFixture();
const on = serviceFixture(() => ({
  DNS_RESOLVERS: dns.address,
  LINK_BASE_URL: 'https://go.example.com',
  API_BASE_URL: 'https://api.example.net',
  RATE_LIMIT_PER_MINUTE: '50',
  METRICS_PORT: '0',
}));
let key: string;
let project: ProjectBody;
let former: string;
let deleted: string;
let verified: CustomDomain;
let pending: CustomDomain;
beforeAll(async () => {
  key = (await on.anAccount('enterprise')).key;
  project = await aProject(on, key);
  former = project.subdomain;
  const renamed = { subdomain: unique('new') };
  project = (await on.api('put', `/projects/${project.id}`, key).send(renamed).expect(200)).body.data as ProjectBody;
  const other = await aProject(on, key);
  await on.api('delete', `/projects/${other.id}`, key).expect(200);
  deleted = other.subdomain;
  verified = await aVerifiedDomain(on, dns, key, project.id);
  pending = await aCustomDomain(on, key, project.id);
  await eventually(async () => (await ask(verified.hostname)) === 200);
});

const ask = async (domain: string): Promise<number> =>
  (await sendRequest(on.url, `GET /tls/ask?domain=${encodeURIComponent(domain)}`, { Host: 'signpost:3000' })).status;

test.each<[string, () => string, number]>([
  ['a project’s subdomain', () => `${project.subdomain}.go.example.com`, 200],
  ['one in capitals', () => `${project.subdomain}.GO.example.com.`, 200],
  ['one that a project had before', () => `${former}.go.example.com`, 200],
  ['a verified domain', () => verified.hostname, 200],
  ['the API’s host', () => 'api.example.net', 200],
  ['the open host of a project', () => `${project.subdomain}-open.go.example.com`, 200],
  ['the open host of no project', () => 'nobody-open.go.example.com', 404],
  ['the open host of an open host', () => `${project.subdomain}-open-open.go.example.com`, 404],
  ['one of a deleted project', () => `${deleted}.go.example.com`, 404],
  ['one of no project', () => 'nobody.go.example.com', 404],
  ['one that no project can have', () => '_x.go.example.com', 404],
  ['a verified domain under the link domain', () => `${verified.hostname}.go.example.com`, 404],
  ['the link domain', () => 'go.example.com', 404],
  ['a pending domain', () => pending.hostname, 404],
  ['a domain with a port', () => `${verified.hostname}:443`, 404],
  ['nothing', () => '', 404],
  ['NUL', () => '\0.go.example.com', 404],
  ['much', () => `${'x'.repeat(5000)}.go.example.com`, 404],
])('%s', async (_, domain, status) => {
  expect(await ask(domain())).toBe(status);
});

test('other requests are not handled', async () => {
  const good = `${project.subdomain}.go.example.com`;
  for (const [line, status] of [
    [`HEAD /tls/ask?domain=${good}`, 200],
    [`GET /tls/ask?other=1&domain=${good}`, 200],
    ['GET /tls/ask', 404],
    [`GET /tls/ask?domain=${good}&domain=www.example.org`, 404],
    ['GET /tls/ask?domain=%', 404],
    [`GET /tls/ask/?domain=${good}`, 404],
    [`POST /tls/ask?domain=${good}`, 404],
  ] as const)
    expect([line, (await sendRequest(on.url, line)).status]).toEqual([line, status]);
});

test('the answer has only a status, and counts in metrics but not in rate limits', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => sendRequest(on.url, `GET /tls/ask?domain=${verified.hostname}`)),
  );
  for (const { status, text, headers } of answers) {
    expect([status, text, headers['cache-control']]).toEqual([200, '', 'no-store']);
    expect(headers['x-request-id']).toBeTruthy();
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  }
  const metrics = await (await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`)).text();
  expect(metrics).toMatch(
    /signpost_http_requests_total\{listener="api",method="GET",route="\/tls\/ask",status="200"\} \d{2}/,
  );
});

test.each(['api', 'traffic'])('a process of the role %s answers', async (ROLE) => {
  const other = await aServiceOfTest({ ROLE, LINK_BASE_URL: 'https://go.example.com' }, on.database);
  const ask = (domain: string) => sendRequest(other.url, `GET /tls/ask?domain=${domain}`);
  expect((await ask(`${project.subdomain}.go.example.com`)).status).toBe(200);
  expect((await ask(verified.hostname)).status).toBe(200);
  expect((await ask('nobody.go.example.com')).status).toBe(404);
});
