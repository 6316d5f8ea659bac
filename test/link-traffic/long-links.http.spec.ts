import type { AndroidApp, IosApp } from '../../clients/typescript/src/index';
import { longLinksId } from '../../src/link-routing/visited-link/long-link';
import { explainVisit, readAnswer } from '../diagnostics/explain/read-answer';
import { analytics } from '../clicks/recording/counting';
import { userAgents } from '../link-routing/user-agents';
import { aDynamicLink, anAndroidApp, anIosApp, aProject } from '../support/builders';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { accountFixture, projectFixture, serviceFixture } from '../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account, { long_link_destinations: ['shop.example.com', '*.example.org'] });
let iosApp: IosApp;
let androidApp: AndroidApp;

const destination = 'https://shop.example.com/sale?size=1';

beforeAll(async () => {
  iosApp = await anIosApp(on, account.key, project.id, { name: 'Garden', appstore_id: '1234567890' });
  androidApp = await anAndroidApp(on, account.key, project.id, { name: 'Garden' });
});

const queryOf = (params: Record<string, string>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

const visit = (target: string, headers: Record<string, string> = {}, method = 'GET', of = project) =>
  sendRequest(on.url, `${method} ${target}`, { Host: `${of.subdomain}.localhost`, ...headers });

const apps = () => ({ ibi: iosApp.bundle_id, apn: androidApp.package_name });
const iPhone = { 'User-Agent': userAgents.iphone };
const android = { 'User-Agent': userAgents.pixel };
const slack = { 'User-Agent': userAgents.slackbot };
const instagram = { 'User-Agent': userAgents.instagramOnIphone };

const explain = (params: Record<string, string>, { id } = project) =>
  explainVisit(on, account.key, { projectId: id }, params);

describe('a long link redirects', () => {
  const other = 'https://a.example.org/';

  test.each([
    ['a computer', {}, {}, destination],
    ['an iPhone with ifl', { ifl: other }, iPhone, other],
    ['an Android phone with afl', { afl: other }, android, other],
  ])('%s', async (_, params, headers, location) => {
    const answer = await visit(`/?${queryOf({ link: destination, ...params })}`, headers);
    expect([answer.status, answer.headers['location']]).toEqual([302, location]);
    expect(answer.headers['cache-control']).toBe('private, no-store');
  });

  test('phones with an app to the stores, without a token', async () => {
    const target = `/?${queryOf({ link: destination, ...apps(), utm_source: 'mail', ct: 'x', isi: '99' })}`;
    expect((await visit(target, iPhone)).headers['location']).toBe('https://apps.apple.com/app/id1234567890?ct=x');
    expect((await visit(target, android)).headers['location']).toBe(
      `https://play.google.com/store/apps/details?id=${androidApp.package_name}&referrer=${encodeURIComponent('utm_source=mail&ct=x')}`,
    );
  });

  test('HEAD, on every host of the project, and beside stored links', async () => {
    await aDynamicLink(on, account.key, project.id, { custom_path: 'link', desktop_url: other });
    const target = `?${queryOf({ link: destination })}`;
    expect((await visit(`/${target}`, {}, 'HEAD')).headers['location']).toBe(destination);
    expect((await visit(`/link${target}`)).headers['location']).toBe(
      `${other}?link=${encodeURIComponent(destination)}`,
    );
    const open = await sendRequest(on.url, `GET /${target}`, { Host: `${project.subdomain}-open.localhost` });
    expect(open.headers['location']).toBe(destination);
  });
});

test.each([
  ['', 'no query'],
  [`?link=${encodeURIComponent('https://evil.example/')}`, 'another host'],
  ['?link=https://shop.example.com/&ofl=https://evil.example/', 'a wrong ofl'],
])('a long link is a plain 404 for /%s: %s', async (query) => {
  for (const headers of [{}, iPhone, android, slack, instagram]) {
    const answer = await visit(`/${query}`, headers);
    expect([answer.status, answer.headers['location']]).toEqual([404, undefined]);
    expect(answer.headers['x-robots-tag']).toBe('noindex');
    expect(answer.text).not.toContain('evil');
  }
});

describe('pages', () => {
  test('a preview has the texts, escaped, and the picture of an allowed host', async () => {
    const params = {
      link: destination,
      st: '<script>alert(1)</script>',
      sd: '"><img src=x>',
      si: 'https://shop.example.com/sale.png',
    };
    const answer = await visit(`/?${queryOf(params)}`, slack);
    expect(answer.status).toBe(200);
    const { tags } = readAnswer(answer).page!;
    expect(tags).toMatchObject({
      'og:title': params.st,
      'og:description': params.sd,
      'og:image': params.si,
      'og:url': `http://${project.subdomain}.localhost:3000/?${queryOf(params)}`,
    });
    expect(answer.text).not.toContain('<script>alert');
    expect(answer.text).not.toContain('<img src=x>');
  });

  test('two long links do not share a page', async () => {
    const titleOf = async (st: string) =>
      readAnswer(await visit(`/?${queryOf({ link: destination, st })}`, slack)).page!.title;
    expect([await titleOf('One'), await titleOf('Two'), await titleOf('One')]).toEqual(['One', 'Two', 'One']);
  });

  test('the page in an in-app browser keeps the long link in its addresses', async () => {
    const query = queryOf({ link: destination, ...apps(), utm_source: 'mail' });
    const own = queryOf({ link: destination, ...apps() });
    const answer = await visit(`/?${query}`, instagram);
    const { links } = readAnswer(answer).page!;
    const urls = Object.fromEntries(links.map(({ role, url }) => [role, url]));
    expect(urls['open_app']).toBe(`http://${project.subdomain}-open.localhost:3000/?${own}&utm_source=mail&_via=open`);
    expect(urls['continue']).toBe('https://apps.apple.com/app/id1234567890');
    const opened = new URL(urls['open_app']!);
    const headers = { Host: opened.host, ...instagram };
    const next = await sendRequest(on.url, `GET ${opened.pathname}${opened.search}`, headers);
    expect(next.headers['location']).toBe('https://apps.apple.com/app/id1234567890');
  });
});

describe('explain', () => {
  test.each([
    ['a computer', {}, {}, { platform: 'desktop' }],
    ['an iPhone', {}, iPhone, { user_agent: iPhone['User-Agent'] }],
    ['a preview', { st: 'Sale' }, slack, { user_agent: slack['User-Agent'] }],
    ['an in-app browser', {}, instagram, { user_agent: instagram['User-Agent'] }],
    ['an Android phone', { utm_source: 'mail' }, android, { user_agent: android['User-Agent'] }],
  ])('agrees with the visit of %s', async (_, params, headers, visitor: Record<string, string>) => {
    const query = queryOf({ link: destination, ...apps(), ...params });
    const explained = await explain({ ...visitor, query });
    expect(explained.answer).toEqual(readAnswer(await visit(`/?${query}`, headers)));
    const step = explained.steps.find(({ rule }) => rule === 'long_link');
    expect(step).toMatchObject({ outcome: 'noted', finding: 'accepted' });
    expect(explained.url).toBe(`http://${project.subdomain}.localhost:3000/?${query}`);
    expect(explained.apps.map(({ platform }) => platform)).toEqual(['ios', 'android']);
  });

  test.each([
    ['link=a', 'invalid_destination'],
    ['link=https://evil.example', 'destination_not_allowed'],
  ])('says why %s is not found: %s', async (query, finding) => {
    const { answer, steps } = await explain({ platform: 'ios', query });
    expect(answer).toMatchObject({ kind: 'not_found', status: 404, location: null, issues_token: false });
    expect(answer.page).toMatchObject({ title: 'Page not found', links: [] });
    expect(steps.filter(({ outcome }) => outcome === 'taken')).toMatchObject([{ rule: 'long_link', finding }]);
  });

  test('says that long links are off', async () => {
    const { steps } = await explain({ platform: 'ios' }, await aProject(on, account.key));
    expect(steps[0]).toMatchObject({ rule: 'long_link', finding: 'off' });
  });
});

test('clicks on long links count for the project, under one id', async () => {
  const counted = await aProject(on, account.key, { long_link_destinations: ['shop.example.com'] });
  const open = (query: string, method = 'GET') => visit(`/?${query}`, {}, method, counted);
  for (const link of [destination, 'https://shop.example.com/2', destination]) await open(queryOf({ link }));
  await open(queryOf({ link: destination }), 'HEAD');
  await open(queryOf({ link: 'https://evil.example/' }));
  const stored = await aDynamicLink(on, account.key, counted.id, { custom_path: 'stored' });
  await visit('/stored', {}, 'GET', counted);
  const read = () => analytics(on, account.key, counted.id, { group_by: 'link', include_bots: true });
  await eventually(async () => (await read()).totals.clicks === 4);
  expect((await read()).groups!.map(({ value, name, path, clicks }) => [value, name, path, clicks])).toEqual([
    [longLinksId, null, null, 3],
    [stored.id, stored.name, 'stored', 1],
  ]);
});
