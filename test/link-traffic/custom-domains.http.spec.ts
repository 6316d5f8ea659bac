import type { CustomDomain } from '../../clients/typescript/src/index';
import { aCustomDomain, aDynamicLink, anAndroidApp, anIosApp, aShortLink, aVerifiedDomain } from '../support/builders';
import { eventually } from '../support/eventually';
import { readQrCode, pictureOfPng } from '../support/qr-reader';
import { type RawAnswer, sendRequest } from '../support/raw-http';
import { accountFixture, aServiceOfTest, dnsFixture, serviceFixture, projectFixture } from '../support/fixtures';
import { type UserAgentName, userAgents } from '../link-routing/user-agents';
import { claim } from './deferred-links/claim-link';
import { openLink } from './open-link';

const dns = dnsFixture();
const on = serviceFixture(() => ({
  DNS_RESOLVERS: dns.address,
  LINK_BASE_URL: 'http://go.example.com:3000',
  API_BASE_URL: 'http://api.example.net:3000',
}));
const account = accountFixture(on);
const project = projectFixture(on, account);
let active: CustomDomain;
let verified: CustomDomain;
let pending: CustomDomain;
let slug: string;
beforeAll(async () => {
  const { key } = account;

  active = await aVerifiedDomain(on, dns, key, project.id, { active: true });
  verified = await aVerifiedDomain(on, dns, key, project.id);
  pending = await aCustomDomain(on, key, project.id);
  const ios = await anIosApp(on, key, project.id, { bundle_id: 'com.example.shop', appstore_id: '1234567890' });
  const android = await anAndroidApp(on, key, project.id, { package_name: 'com.example.shop' });
  const apps = { ios_app_id: ios.id, android_app_id: android.id };
  const sale = await aDynamicLink(on, key, project.id, { custom_path: 'sale', desktop_url: 'https://example.com/' });
  await aDynamicLink(on, key, project.id, { custom_path: 'social', social_title: 'Sale' });
  await aDynamicLink(on, key, project.id, { custom_path: 'landing', desktop_url: undefined });
  await aDynamicLink(on, key, project.id, { custom_path: 'app', ...apps, ios_deferred_deep_link: true });
  slug = (await aShortLink(on, key, project.id, sale.id)).slug;
  await eventually(async () => (await visit(verified.hostname, '/sale')).status === 302);
});

const visit = (host: string, path: string, agent?: UserAgentName): Promise<RawAnswer> =>
  sendRequest(on.url, `GET ${path}`, { Host: host, ...(agent && { 'User-Agent': userAgents[agent] }) });

const subdomainHost = (): string => `${project.subdomain}.go.example.com`;
const hosts: [string, () => string][] = [
  ['the active domain', () => active.hostname],
  ['a verified domain', () => verified.hostname],
  ['the subdomain', subdomainHost],
];

describe.each(hosts)('on %s', (_, host) => {
  test('links and short links redirect', async () => {
    for (const path of ['/sale?x=1', `/${slug}?x=1`]) {
      const { status, headers } = await visit(host(), path);
      expect([status, headers['location']]).toEqual([302, 'https://example.com/?x=1']);
    }
    expect((await visit(host(), '/missing')).status).toBe(404);
  });

  test('association files are served', async () => {
    const apple = await visit(host(), '/.well-known/apple-app-site-association');
    expect([apple.status, apple.text]).toEqual([200, expect.stringContaining('ABCDE12345.com.example.shop')]);
    const android = await visit(host(), '/.well-known/assetlinks.json');
    expect([android.status, android.text]).toEqual([200, expect.stringContaining('com.example.shop')]);
  });

  test('every URL in a page or a claim is on the active domain, except the one that opens the app', async () => {
    const base = `http://${active.hostname}:3000`;
    const preview = await visit(host(), '/social?x=1', 'slackbot');
    expect(preview.text).toContain(`<meta property="og:url" content="${base}/social?x=1">`);
    expect(preview.text).toContain(`<meta property="og:site_name" content="${active.hostname}:3000">`);
    const landing = await visit(host(), '/landing');
    expect(landing.text).toContain(`<title>${active.hostname}:3000</title>`);
    const getTheApp = await visit(host(), '/app', 'iphone');
    const [, token] = new RegExp(`"${base}/app\\?deferred_link=([A-Za-z0-9_-]{22})"`).exec(getTheApp.text) ?? [];
    const claimed = await claim(on, project.subdomain, token, { Host: host() }).expect(200);
    expect(claimed.body.data).toMatchObject({ full_url: `${base}/app`, path: 'app' });
    const opener = `http://${project.subdomain}-open.go.example.com:3000/app?_via=open`;
    expect(getTheApp.text).toContain(`href="${opener}"`);
    for (const { text } of [preview, landing, getTheApp])
      expect(text.replace(opener, '')).not.toContain('go.example.com');
  });

  test.each([...hosts, ['a pending domain', () => pending.hostname] as const])('an open of %s', async (_, other) => {
    const url = `https://${other()}/${slug}?x=1`;
    const answer = await openLink(on, project.subdomain, '', { url }, { Host: host() });
    if (other() === pending.hostname) expect(answer).toBeRefusedWith('NOT_FOUND');
    else
      expect(answer.body.data).toMatchObject({
        full_url: `http://${active.hostname}:3000/sale`,
        destination: 'https://example.com/?x=1',
      });
  });

  test('no route of the management API is available', async () => {
    for (const path of ['/api/v1/projects', '/health/live', '/api/docs', '/tls/ask?domain=api.example.net']) {
      const answer = await visit(host(), path);
      expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
  });
});

test('every URL of the API is on the active domain', async () => {
  const { key } = account;
  const base = `http://${active.hostname}:3000`;
  const links = await on.api('get', `/projects/${project.id}/links`, key).expect(200);
  for (const link of links.body.data as { id: string; custom_path: string; full_url: string }[]) {
    expect(link.full_url).toBe(`${base}/${link.custom_path}`);
    const qrCode = await on.api('get', `/projects/${project.id}/links/${link.id}/qr-code`, key).buffer().expect(200);
    expect(readQrCode(pictureOfPng(qrCode.body as Buffer))).toBe(`${link.full_url}?_via=qr`);
  }
  const shortLinks = await on.api('get', `/projects/${project.id}/short-links`, key).expect(200);
  expect(shortLinks.body.data).toMatchObject([{ short_url: `${base}/${slug}` }]);
});

test('the domain matches in capitals, with a final dot and another port', async () => {
  expect((await visit(`${active.hostname.toUpperCase()}.:443`, '/sale')).status).toBe(302);
});

test.each([
  ['a pending domain', () => pending.hostname],
  ['an unknown domain', () => 'links.nobody.com'],
  ['a name under the domain', () => `x.${active.hostname}`],
  ['the API’s host', () => 'api.example.net'],
  ['the link domain', () => 'go.example.com'],
  ['an IPv6 address', () => '[::1]:3000'],
  ['what a prototype has', () => 'constructor'],
])('%s is a host of the management API', async (_, host) => {
  expect((await visit(host(), '/sale')).body).toMatchObject({ error: { code: 'NOT_FOUND' } });
  expect((await visit(host(), '/api/v1/projects')).status).toBe(401);
});

test('a label cannot imitate the site key of a custom domain', async () => {
  for (const prefix of ['', 'CUSTOM ', 'custom ', 'CUSTOM%20'])
    expect([400, 404]).toContain((await visit(`${prefix}${active.hostname}.go.example.com`, '/sale')).status);
});

test('a host of the settings takes precedence over a verified domain', async () => {
  const moved = await aServiceOfTest(
    { LINK_BASE_URL: 'http://localhost:3000', API_BASE_URL: `http://${active.hostname}:3000` },
    on.database,
  );
  const answer = await sendRequest(moved.url, 'GET /api/v1/projects', { Host: active.hostname });
  expect(answer).toBeRefusedWith('UNAUTHORIZED');
  expect((await sendRequest(moved.url, 'GET /sale', { Host: verified.hostname })).status).toBe(302);
});
