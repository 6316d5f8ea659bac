import type { AndroidApp, IosApp } from '../../clients/typescript/src/index';
import { type PageLanguage, pageTexts } from '../../src/link-routing/pages/page-texts';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aShortLink, type ProjectBody } from '../support/builders';
import { type RawAnswer, sendRequest } from '../support/raw-http';
import { serviceFixture } from '../support/fixtures';
import { type UserAgentName, userAgents } from '../link-routing/user-agents';

const on = serviceFixture();
let project: ProjectBody;
let iosApp: IosApp;
let androidApp: AndroidApp;

const desktop = 'https://example.com/desktop?keep=%41#part';
const urls = {
  desktop_url: desktop,
  ios_fallback_url: 'https://example.com/ios',
  android_fallback_url: 'https://example.com/android',
};
const social = {
  social_title: 'Summer & sale',
  social_description: 'Half "price"',
  social_image_url: 'https://pictures.example/sale.png',
};

beforeAll(async () => {
  const { key } = await on.anAccount('enterprise');
  project = await aProject(on, key);
  iosApp = await anIosApp(on, key, project.id, { name: 'Garden & Co', appstore_id: '1234567890' });
  androidApp = await anAndroidApp(on, key, project.id, { name: 'Garden & Co' });
  const apps = { ios_app_id: iosApp.id, android_app_id: androidApp.id };
  const link = (path: string, fields: Record<string, unknown>) =>
    aDynamicLink(on, key, project.id, { custom_path: path, desktop_url: undefined, ...fields });
  await link('urls', urls);
  await link('urls-social', { ...urls, ...social });
  await link('apps', apps);
  await link('all', { ...urls, ...apps, ...social });
  await link('deferred', { ...urls, ...apps, ios_deferred_deep_link: true });
  await link('android-only', { desktop_url: desktop, android_app_id: androidApp.id });
  await link('desktop', { desktop_url: desktop });
  await link('nothing', {});
  await link('empty-texts', { desktop_url: desktop, social_title: '', social_description: '' });
  const long = await link('a/long.way_~to-go', { ...urls, ...apps, ...social, referrer_params: { from: 'link' } });
  await aShortLink(on, key, project.id, long.id, { slug: 'short-1' });
});

const visit = (target: string, userAgent?: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(on.url, `${method} ${target}`, {
    Host: `${project.subdomain}.localhost`,
    ...(userAgent !== undefined && { 'User-Agent': userAgent }),
    ...headers,
  });

const baseUrl = () => `http://${project.subdomain}.localhost:3000`;
const openUrl = () => `http://${project.subdomain}-open.localhost:3000`;
const appStore = 'https://apps.apple.com/app/id1234567890';

/** Page offers, recognised by their text. */
const offers = {
  landing: 'QR code of this link',
  'get the app': 'Continue without copying',
  'in-app': 'This link belongs in',
  preview: 'property="og:title"',
};
type Offer = keyof typeof offers;
const offersOf = ({ text }: RawAnswer) =>
  (Object.keys(offers) as Offer[]).filter((offer) => text.includes(offers[offer]));

/** Removes the random token and package name from a Play Store URL. */
function normalizeStoreUrl(location: string): string {
  const url = new URL(location);
  if (url.host !== 'play.google.com') return location;
  expect([url.origin + url.pathname, url.searchParams.get('id')]).toEqual([
    'https://play.google.com/store/apps/details',
    androidApp.package_name,
  ]);
  const referrer = (url.searchParams.get('referrer') ?? '').replace(/(^|&)deferred_link=[A-Za-z0-9_-]{22}$/, '');
  return referrer === '' ? 'Play Store' : `Play Store with ${referrer}`;
}

/** Returns the parts that GET and HEAD must have in common. */
const comparable = ({ status, headers }: RawAnswer) => {
  const { date: _, 'x-request-id': __, 'content-length': ___, location, ...rest } = headers;
  return { status, ...rest, location: location && normalizeStoreUrl(location) };
};

test("a web view of Android gets “Open in app”, except that of the link's own app", async () => {
  const webView = userAgents.instagramOnAndroid.replace(/ Instagram .*/, '');
  const answerOf = async (headers: Record<string, string>) => {
    const { status, ...answer } = await visit('/android-only', webView, headers);
    return [status, ...offersOf({ status, ...answer })];
  };
  expect(await answerOf({})).toEqual([302]);
  expect(await answerOf({ 'X-Requested-With': 'com.whatsapp' })).toEqual([200, 'in-app']);
  expect(await answerOf({ 'X-Requested-With': 'com.example.reader' })).toEqual([200, 'in-app']);
  expect(await answerOf({ 'X-Requested-With': androidApp.package_name })).toEqual([302]);
  expect(await answerOf({ 'X-Requested-With': 'XMLHttpRequest' })).toEqual([302]);
});

test.each<[string, UserAgentName, string, string, number, PageLanguage, string]>([
  ['GET', 'desktop', '/nothing', 'de-AT,de;q=0.9,en;q=0.8', 200, 'de', pageTexts.de.noPage],
  ['GET', 'iphone', '/deferred', 'fr', 200, 'fr', pageTexts.fr.getTheApp],
  ['GET', 'instagramOnAndroid', '/apps', 'nl,ja;q=0.5', 200, 'ja', pageTexts.ja.openInApp],
  ['GET', 'desktop', '/missing', 'pl', 404, 'pl', pageTexts.pl.notFound.title],
  ['POST', 'desktop', '/nothing', 'it', 405, 'it', pageTexts.it.notAllowed.title],
])(
  'a page for people is in their language: %s by %s of %s, %s',
  async (method, name, path, accepted, status, language, text) => {
    const got = await visit(path, userAgents[name], { 'Accept-Language': accepted }, method);
    expect([got.status, got.headers['content-language']]).toEqual([status, language]);
    expect(got.headers['vary']).toContain('Accept-Language');
    expect(got.text).toContain(`<html lang="${language}">`);
    expect(got.text).toContain(text);
    if (method !== 'GET') return;
    const head = await visit(path, userAgents[name], { 'Accept-Language': accepted }, 'HEAD');
    expect(comparable(head)).toEqual(comparable(got));
  },
);

test.each<[UserAgentName, string]>([
  ['slackbot', '/urls-social'],
  ['iphone', '/urls'],
  ['pixel', '/apps'],
])('the answer to %s on %s does not depend on the language', async (name, path) => {
  const [plain, german] = [
    await visit(path, userAgents[name]),
    await visit(path, userAgents[name], { 'Accept-Language': 'de' }),
  ];
  expect(comparable(german)).toEqual(comparable(plain));
  expect(german.headers).not.toHaveProperty('content-language');
  expect(german.headers['vary']).toBe('User-Agent, Sec-CH-UA-Platform');
  expect(german.text).toBe(plain.text);
});

// destination.spec.ts and answer-contents.spec.ts have all rows.
describe('the routing table', () => {
  test.each<[UserAgentName, path: string, redirect: string]>([
    ['iphone', 'urls', 'https://example.com/ios'],
    ['iphone', 'apps', appStore],
    ['pixel', 'all', 'https://example.com/android'],
    ['pixel', 'apps', 'Play Store'],
    ['desktop', 'all', desktop],
    ['macintosh', 'all', desktop],
    ['slackbot', 'empty-texts', desktop],
  ])('%s on /%s is redirected to %s', async (name, path, redirect) => {
    const got = await visit(`/${path}`, userAgents[name]);
    expect(comparable(got)).toEqual({
      status: 302,
      location: redirect,
      'cache-control': 'private, no-store',
      vary: 'User-Agent, Sec-CH-UA-Platform',
      connection: 'close',
    });
    expect(got.headers).toMatchObject({ 'content-length': '0', 'x-request-id': expect.any(String) });
    expect(got.text).toBe('');
    const head = await visit(`/${path}`, userAgents[name], {}, 'HEAD');
    expect(comparable(head)).toEqual(comparable(got));
    expect(head.text).toBe('');
  });

  const personal = {
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    vary: 'User-Agent, Sec-CH-UA-Platform, Accept-Language',
    'content-language': 'en',
  };
  // Crawlers share a preview, which has only texts of the link.
  const shared = { 'cache-control': 'public, max-age=300', vary: 'User-Agent, Sec-CH-UA-Platform' };

  test.each<[UserAgentName, path: string, page: Offer]>([
    ['iphone', 'deferred', 'get the app'],
    ['desktop', 'apps', 'landing'],
    ['slackbot', 'all', 'preview'],
    ['instagramOnIphone', 'apps', 'in-app'],
    ['instagramOnAndroid', 'all', 'in-app'],
  ])('%s on /%s gets the page: %s', async (name, path, page) => {
    const got = await visit(`/${path}`, userAgents[name]);
    expect(offersOf(got)).toEqual([page]);
    expect(comparable(got)).toEqual({
      status: 200,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      connection: 'close',
      ...(page === 'preview' ? shared : personal),
    });
    expect(got.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
    const head = await visit(`/${path}`, userAgents[name], {}, 'HEAD');
    expect(comparable(head)).toEqual(comparable(got));
    expect(head.text).toBe('');
    // HEAD omits the length, because its page has no token and is shorter than the page for GET.
    expect([undefined, got.headers['content-length']]).toContain(head.headers['content-length']);
  });

  test('an unknown path returns the not-found page', async () => {
    const got = await visit('/no-such-link', userAgents.iphone);
    expect(comparable(got)).toEqual({
      status: 404,
      vary: 'Accept-Language',
      'content-language': 'en',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      connection: 'close',
    });
    const head = await visit('/no-such-link', userAgents.iphone, {}, 'HEAD');
    expect(comparable(head)).toEqual(comparable(got));
    expect([head.headers['content-length'], head.text]).toEqual([String(Buffer.byteLength(got.text)), '']);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
  const { status, headers } = await visit('/desktop', userAgents.desktop, {}, method);
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
});

describe('short links', () => {
  test.each<[UserAgentName]>([['iphone'], ['pixel'], ['desktop']])('redirect %s like the custom path', async (name) => {
    const [short, long] = await Promise.all(
      ['/short-1?x=1', '/a/long.way_~to-go?x=1'].map((target) => visit(target, userAgents[name])),
    );
    expect(short!.headers['location']).toMatch(/\?.*from=link&x=1/);
    expect(comparable(short!)).toEqual(comparable(long!));
  });

  test.each<[UserAgentName]>([['slackbot'], ['instagramOnIphone'], ['instagramOnAndroid']])(
    'show %s the page of the custom path with their own URL',
    async (name) => {
      const [short, long] = await Promise.all(
        ['/short-1', '/a/long.way_~to-go'].map((target) => visit(target, userAgents[name])),
      );
      expect(short!.text).toContain('/short-1');
      expect(short!.text.replaceAll('/short-1', '/a/long.way_~to-go')).toBe(long!.text);
    },
  );
});

const decoded = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
/** Returns the URL of the button with this label. */
const buttonOf = ({ text }: RawAnswer, words: string) => {
  const found = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${words}</a>`).exec(text)?.[1];
  return found === undefined ? undefined : decoded(found);
};

describe('in-app browsers', () => {
  test('lead to the store with a token by both buttons', async () => {
    const page = await visit('/apps?x=1', userAgents.instagramOnAndroid);
    const fallback = /;S\.browser_fallback_url=([^;]+);end/.exec(buttonOf(page, 'Open in app')!)![1]!;
    const next = buttonOf(page, 'Continue')!;
    expect(next).toBe(`${baseUrl()}/apps?x=1&_via=page`);
    const { headers } = await visit(next.slice(baseUrl().length), userAgents.instagramOnAndroid);
    for (const store of [decodeURIComponent(fallback), headers['location']!]) {
      expect(normalizeStoreUrl(store)).toBe('Play Store with x=1');
      expect(store).toContain('deferred_link');
    }
  });

  test('continue to "Get the app" like Safari', async () => {
    const page = await visit('/deferred?x=1', userAgents.instagramOnIphone);
    const next = buttonOf(page, 'Continue')!;
    expect(next).toBe(`${baseUrl()}/deferred?x=1&_via=page`);
    const then = await visit(next.slice(baseUrl().length), userAgents.instagramOnIphone);
    expect(offersOf(then)).toEqual(['get the app']);
  });
});

test('“Open in browser” leads to the page of the browser, which offers an installed app', async () => {
  const page = await visit('/deferred?x=1', userAgents.instagramOnIphone);
  const next = buttonOf(page, 'Open in browser')!;
  expect(next).toBe(`x-safari-${baseUrl()}/deferred?x=1&_via=browser-page`);
  const target = next.slice(`x-safari-${baseUrl()}`.length);
  const then = await visit(target, userAgents.iphone);
  expect(offersOf(then)).toEqual(['get the app']);
  expect(buttonOf(then, 'Open in app')).toBe(`${openUrl()}/deferred?x=1&_via=open`);
  // Also in another app, to which the URL was sent.
  expect(offersOf(await visit(target, userAgents.instagramOnIphone))).toEqual(['in-app']);
});

test('an iPad with the user agent of a Macintosh reaches the store through an in-app browser', async () => {
  const ipadUrlOf = ({ text }: RawAnswer) => {
    const found = /<script data-value="([^"]*)"/.exec(text)?.[1];
    return found === undefined ? undefined : decoded(found);
  };

  const { key } = await on.anAccount('enterprise');
  const own = await aProject(on, key);
  const app = await anIosApp(on, key, own.id, { appstore_id: '42' });
  const fields = { custom_path: 'x', desktop_url: undefined, ios_app_id: app.id, ios_deferred_deep_link: true };
  await aDynamicLink(on, key, own.id, fields);
  const host = `${own.subdomain}.localhost`;
  const next = (url: string) => {
    const { host, pathname, search } = new URL(url);
    return visit(pathname + search, userAgents.instagramOnIpad, { Host: host });
  };
  const landing = await next(`http://${host}:3000/x`);
  const page = await next(ipadUrlOf(landing)!);
  expect([offersOf(landing), offersOf(page)]).toEqual([['landing'], ['in-app']]);
  expect(offersOf(await next(buttonOf(page, 'Continue')!))).toEqual(['get the app']);
  const withoutApp = await next(buttonOf(page, 'Open in app')!);
  expect(offersOf(withoutApp)).toEqual(['get the app']);
  expect(buttonOf(withoutApp, 'Open in app')).toBeUndefined();
});
