import { untilCounted } from '../../clicks/recording/counting';
import { userAgents } from '../../link-routing/user-agents';
import { aDynamicLink, anIosApp, aProject, aShortLink } from '../../support/builders';
import { sendRequest } from '../../support/raw-http';
import { accountFixture, projectFixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account, { long_link_destinations: ['shop.example.com'] });
let slug: string;
beforeAll(async () => {
  const app = await anIosApp(on, account.key, project.id, { bundle_id: 'com.example.shop', appstore_id: '42' });
  const link = await aDynamicLink(on, account.key, project.id, {
    custom_path: 'sale',
    desktop_url: 'https://shop.example.com/sale',
    ios_app_id: app.id,
    ios_deferred_deep_link: true,
  });
  slug = (await aShortLink(on, account.key, project.id, link.id)).slug;
  await aDynamicLink(on, account.key, project.id, {
    custom_path: 'locked',
    desktop_url: 'https://shop.example.com/secret',
    password: 'secret words',
  });
});

const visit = (target: string, userAgent: string = userAgents.iphone, more: object = {}, host = project.subdomain) =>
  sendRequest(on.url, target.startsWith('/') ? `GET ${target}` : target, {
    Host: `${host}.localhost`,
    'User-Agent': userAgent,
    ...more,
  });

const openHost = () => `http://${project.subdomain}-open.localhost:3000`;

test('says why the app did not open, in the language of the visitor', async () => {
  const page = await visit('/sale?a=1&_via=test', undefined, { 'Accept-Language': 'de-AT' });
  expect([page.status, page.headers]).toMatchObject([
    200,
    {
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'content-language': 'de',
      vary: 'User-Agent, Sec-CH-UA-Platform, Accept-Language',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    },
  ]);
  for (const text of [
    'Die App hat sich nicht geöffnet',
    'iPhone, iOS 17.5.1',
    'Er zeigt die Seite „App laden“.',
    'ABCDE12345.com.example.shop für diese Adresse',
    `applinks:${project.subdomain}.localhost`,
    `href="${openHost()}/sale?a=1&amp;_via=test"`,
    `href="http://${project.subdomain}.localhost:3000/sale?a=1"`,
  ])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain('deferred_link');
});

test('leads back from the open host, because a phone opens no app for a link on the host of its page', async () => {
  const page = await visit('/sale?_via=test', undefined, {}, `${project.subdomain}-open`);
  expect(page.text).toContain(`href="http://${project.subdomain}.localhost:3000/sale?_via=test"`);
});

const { desktop, macintosh, iphone, pixel, instagramOnIphone } = userAgents;

test.each<[name: string, path: string, userAgent: string, texts: string[]]>([
  ['a computer', 'sale', desktop, ['Test this link on a phone', 'https://shop.example.com/sale']],
  ['a Macintosh, which may be an iPad', 'sale', macintosh, ['<script', '_via=ipad-test']],
  ['a phone without an app', 'sale', pixel, ['Android 14', 'No app opens this link here']],
  ['an app', 'sale', instagramOnIphone, ['Inside Instagram', 'Here, no link opens an app']],
  ['a short link', 'SLUG', iphone, ['The app did not open']],
  ['a mistyped address', 'sale.', iphone, ['It shows the page “Get the app”.']],
  ['no link', 'a%3F%22', iphone, ['No link has this address.', '/a%3F%22?_via=test']],
  ['the host', '', iphone, ['No link has this address.', 'com.example.shop for this address']],
  ['a locked link', 'locked', iphone, ['It shows a page with a button or a password.']],
])('tests %s', async (_, path, userAgent, texts) => {
  const { text } = await visit(`/${path.replace('SLUG', slug)}?_via=test`, userAgent);
  for (const expected of texts) expect(text).toContain(expected);
  expect(text).not.toContain('secret');
});

test('tests an iPad, and a long link', async () => {
  const ipad = await visit('/sale?_via=ipad-test', macintosh);
  for (const expected of ['The app did not open', 'iPad, iPadOS']) expect(ipad.text).toContain(expected);
  const long = await visit('/?link=https%3A%2F%2Fshop.example.com%2Fx&_via=test');
  for (const expected of ['It leads to this address:', '<bdi>https://shop.example.com/x</bdi>'])
    expect(long.text).toContain(expected);
});

test('answers HEAD without a page, and keeps the other paths of the service', async () => {
  const head = await visit('HEAD /sale?_via=test');
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await visit('POST /sale?_via=test')).status).toBe(405);
  const file = await visit('/.well-known/apple-app-site-association?_via=test');
  expect(file.headers['content-type']).toBe('application/json');
});

test('says nothing about links of others', async () => {
  const other = await aProject(on, account.key);
  const { text } = await visit('/sale?_via=test', undefined, {}, other.subdomain);
  expect(text).toContain('No link has this address.');
  expect(text).not.toContain('com.example.shop');
});

test('counts no click', async () => {
  await visit('/sale?_via=test');
  await visit('/sale', undefined, { 'Sec-Fetch-Site': 'same-origin' });
  await visit('/sale');
  const counted = await untilCounted(on, account.key, project.id, 1, { include_bots: true });
  expect(counted.totals.clicks).toBe(1);
});
