import supertest from 'supertest';
import { tokenLimits } from '../../../src/link-traffic/visits/visit-ids';
import { eventually } from '../../support/eventually';
import { sample } from '../../support/scale';
import { aService, type TestService } from '../../support/service';
import {
  aCampaign,
  androidToken,
  type Campaign,
  claim,
  clipboardTextOf,
  iosToken,
  iPhone,
  macintosh,
  pixel,
  referrerOf,
  startOfMinute,
  storedTokens,
  tokensIn,
} from './claim-link';

let on: TestService;
let campaign: Campaign;
beforeAll(async () => {
  on = await aService();
  campaign = await aCampaign(on, { desktop_url: undefined });
});
afterAll(() => on.stop());
const usual = { ...tokenLimits };
afterEach(() => Object.assign(tokenLimits, usual));

const visit = (query: string, headers: Record<string, string>, of = campaign) =>
  on.visit(of.project.subdomain, `/summer${query}`, headers);

/** Returns the text and headers of an answer. */
const answerOf = ({ text, headers }: supertest.Response): string => `${text} ${JSON.stringify(headers)}`;

const inInstagram = (userAgent: string) => `${userAgent} Instagram 350.0.0.0.100 (en_US)`;

/** Runs `act` and returns the number of issued tokens. One more token marks the end of their writes. */
async function tokensOf(act: () => Promise<unknown>): Promise<number> {
  await on.database.query('DELETE FROM deferred_links');
  await act();
  const last = await androidToken(on, campaign);
  expect((await claim(on, campaign.project.subdomain, last)).status).toBe(200);
  return storedTokens(on);
}

test('a visit on a phone stores exactly one token', async () => {
  expect(await tokensOf(() => iosToken(on, campaign))).toBe(1);
  expect(await tokensOf(() => androidToken(on, campaign))).toBe(1);
});

test.each([
  ['a desktop', { 'User-Agent': macintosh }],
  [
    'Googlebot as a smartphone',
    {
      'User-Agent':
        'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    },
  ],
  ['a prefetch on Android', { 'User-Agent': pixel, 'Sec-Purpose': 'prefetch;anonymous-client-ip' }],
  ['a prefetch on iOS', { 'User-Agent': iPhone, 'Sec-Purpose': 'prefetch' }],
  ['the app of Facebook, before a tap', { 'User-Agent': iPhone, 'X-Purpose': 'preview' }],
  [
    'iMessage',
    {
      'User-Agent':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    },
  ],
])('%s gets no token', async (_, headers) => {
  let answer = '';
  expect(await tokensOf(async () => (answer = answerOf(await visit('', headers))))).toBe(0);
  expect(answer).not.toContain('deferred_link');
});

test.each([
  ['iPhone', iPhone],
  ['Android', pixel],
  ['Instagram on Android', inInstagram(pixel)],
])('a HEAD request by %s gets no token', async (_, userAgent) => {
  let answer = '';
  const head = async () => {
    const response = await supertest(on.url)
      .head('/summer')
      .redirects(0)
      .set({ Host: `${campaign.project.subdomain}.localhost`, 'User-Agent': userAgent });
    expect(response.status).toBeLessThan(400);
    answer = answerOf(response);
  };
  expect(await tokensOf(head)).toBe(0);
  expect(answer).not.toContain('deferred_link');
});

test('pages that lead to another page of this service get no token', async () => {
  const act = async () => {
    const page = await visit('', { 'User-Agent': inInstagram(iPhone) });
    expect(page.status).toBe(200);
    expect(page.text).toContain('_via=page');
    expect(page.text).not.toContain('deferred_link');
  };
  expect(await tokensOf(act)).toBe(0);
});

test('redirects to a fallback URL get no token', async () => {
  const other = await aCampaign(on, {
    ios_deferred_deep_link: false,
    ios_fallback_url: 'https://example.com/i',
    android_fallback_url: 'https://example.com/a',
  });
  const act = async () => {
    for (const userAgent of [iPhone, pixel])
      expect((await visit('', { 'User-Agent': userAgent }, other)).headers['location']).toMatch(
        /^https:\/\/example\.com\/[ia]$/,
      );
  };
  expect(await tokensOf(act)).toBe(0);
});

// Only the app of the link can claim its token.
test.each([
  ['com.example.shop', 1],
  ['com.example.other', 0],
])('a fallback URL that is the Play Store page of %s gets %d tokens', async (packageName, tokens) => {
  const page = `https://play.google.com/store/apps/details?id=${packageName}&referrer=a%3D1`;
  const fields = { android_fallback_url: page, referrer_params: { utm_source: 'news' } };
  const other = await aCampaign(on, fields);
  let location = '';
  const act = async () => (location = (await visit('', { 'User-Agent': pixel }, other)).headers['location']!);
  expect(await tokensOf(act)).toBe(tokens);
  expect(new URL(location).searchParams.get('id')).toBe(packageName);
  const { deferred_link: token, ...others } = Object.fromEntries(referrerOf(location));
  expect(others).toEqual({ a: '1', utm_source: 'news' });
  expect(tokensIn(location)).toEqual(tokens === 0 ? [] : [token]);
});

describe('reserved parameters in the visited URL', () => {
  const forged = 'FORGEDFORGEDFORGEDFORG';
  const queries = [
    `?deferred_link=${forged}`,
    `?_via=${forged}`,
    `?deferred%5Flink=${forged}`,
    `?d%65ferred_lin%6b=${forged}`,
    `?%5fvia=${forged}&_vi%61=${forged}`,
    `?deferred_link=${forged}&deferred_link=${forged}2&_via=${forged}`,
    `?&&deferred_link=${forged}&`,
  ];
  let everywhere: Campaign;
  beforeAll(async () => {
    everywhere = await aCampaign(on, {
      ios_deferred_deep_link: false,
      desktop_url: 'https://example.com/d?own=1',
      ios_fallback_url: 'https://example.com/i',
      android_fallback_url: 'https://example.com/a',
      social_title: 'Summer',
    });
  });

  test.each(sample(queries, 0, 3))('%s reaches no destination', async (query) => {
    for (const userAgent of [macintosh, iPhone, pixel]) {
      const { headers } = await visit(`${query}&kept=%41`, { 'User-Agent': userAgent }, everywhere).expect(302);
      expect(headers['location']).not.toMatch(/FORGED|via|link/);
      expect(headers['location']).toMatch(/[?&]kept=%41$/);
    }
  });

  test.each(sample(queries, 1, 3))('%s reaches no page and no preview', async (query) => {
    const pages = await Promise.all([
      visit(query, { 'User-Agent': iPhone }),
      visit(query, { 'User-Agent': macintosh }),
      visit(query, { 'User-Agent': inInstagram(iPhone) }),
      visit(query, { 'User-Agent': inInstagram(pixel) }),
      visit(query, { 'User-Agent': 'facebookexternalhit/1.1' }, everywhere),
    ]);
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect(pages.map(({ text }) => text).filter((text) => text.includes('FORGED'))).toEqual([]);
    expect(tokensIn(clipboardTextOf(pages[0].text))).toHaveLength(1);
  });

  test.each(sample(queries, 2, 3))('%s reaches no store, and the store URL has an issued token', async (query) => {
    const { headers } = await visit(query, { 'User-Agent': pixel }).expect(302);
    expect(headers['location']).not.toContain('FORGED');
    const referrer = referrerOf(headers['location']!);
    expect([...referrer.keys()]).toEqual(['deferred_link']);
    expect((await claim(on, campaign.project.subdomain, referrer.get('deferred_link'))).status).toBe(200);
  });

  test('similar names are ordinary parameters', async () => {
    const query = '?x_via=1&deferred_links=2&Deferred_Link=3&via=4&a=deferred_link&b=_via';
    const { headers } = await visit(query, { 'User-Agent': macintosh }, everywhere);
    expect(headers['location']).toBe(`https://example.com/d?own=1&${query.slice(1)}`);
  });
});

test("a link's parameter of a reserved name does not replace the token", async () => {
  const own = await aCampaign(on, { referrer_params: { deferred_link: 'mine', a: '1' } });
  const { headers } = await visit('', { 'User-Agent': pixel }, own).expect(302);
  const referrer = referrerOf(headers['location']!);
  expect([...referrer.keys()]).toEqual(['a', 'deferred_link']);
  const { body } = await claim(on, own.project.subdomain, referrer.get('deferred_link'));
  expect(body.data.referrer_params).toEqual({ deferred_link: 'mine', a: '1' });
});

test('one address gets a number of tokens per minute; further visits get none', async () => {
  startOfMinute(on);
  tokenLimits.perMinute = 50;
  await on.database.query('DELETE FROM deferred_links');
  for (let round = 0; round < 2; round++)
    await Promise.all(Array.from({ length: 25 }, () => visit('', { 'User-Agent': pixel }).expect(302)));
  const without = await visit('', { 'User-Agent': pixel });
  expect([without.status, without.headers['location']]).toEqual([
    302,
    'https://play.google.com/store/apps/details?id=com.example.shop',
  ]);
  const page = await visit('', { 'User-Agent': iPhone });
  expect([page.status, clipboardTextOf(page.text)]).toEqual([200, campaign.link.full_url]);
  await eventually(async () => (await storedTokens(on)) === 50);
  startOfMinute(on);
  expect(await androidToken(on, campaign)).toMatch(/^.{22}$/);
});
