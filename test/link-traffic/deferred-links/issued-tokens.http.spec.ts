import supertest from 'supertest';
import { DeferredLinksService } from '../../../src/link-traffic/deferred-links/deferred-links.service';
import { PgDeferredLinkRepository } from '../../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { PgMovedLinkRepository } from '../../../src/link-traffic/deferred-links/pg-moved-link.repository';
import { tokenLimits } from '../../../src/link-traffic/visits/visit-ids';
import { eventually } from '../../support/eventually';
import { aPool } from '../../support/pool';
import { userAgents } from '../../link-routing/user-agents';
import { atEndOfTest } from '../../support/end-of-test';
import { serviceFixture } from '../../support/fixtures';
import {
  aCampaign,
  age,
  androidToken,
  type Campaign,
  claim,
  clipboardTextOf,
  dayMs,
  iosToken,
  iPhone,
  macintosh,
  minuteMs,
  pixel,
  referrerOf,
  startOfMinute,
  storedTokens,
  tokensIn,
  untilStored,
} from './claim-link';

const on = serviceFixture();
let campaign: Campaign;
beforeAll(async () => {
  campaign = await aCampaign(on, { desktop_url: undefined });
});
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

// These tests come first, because tokens of the others are stored later.
test.each([
  ['iOS', iosToken, 7 * dayMs],
  ['Android', androidToken, 90 * dayMs],
])('a token of %s can be claimed until it expires', async (_, visit, lifetime) => {
  await on.database.query('DELETE FROM deferred_links');
  const inTime = await visit(on, campaign);
  const tooLate = await visit(on, campaign);
  await untilStored(on, 2);
  // The margin covers the duration of the test.
  await age(on, lifetime - minuteMs);
  expect((await claim(on, campaign.project.subdomain, inTime)).status).toBe(200);
  await age(on, minuteMs);
  expect(await claim(on, campaign.project.subdomain, tooLate)).toBeRefusedWith('NOT_FOUND');
});

test('the purge runs concurrently with other purges and claims', async () => {
  await on.database.query('DELETE FROM deferred_links');
  const pool = aPool({ connectionString: on.database.url });
  atEndOfTest(() => pool.end());
  const errors: unknown[] = [];
  const services = Array.from({ length: 6 }, () => {
    const [links, moved] = [new PgDeferredLinkRepository(pool), new PgMovedLinkRepository(pool)];
    return new DeferredLinksService(links, moved, (error) => errors.push(error));
  });
  atEndOfTest(() => Promise.all(services.map((service) => service.stop())));
  /** Inserts rows that expire `fromNow` milliseconds from now, one millisecond apart. */
  const insertRows = (count: number, fromNow: number) =>
    on.database.query(
      `INSERT INTO deferred_links (token_digest, project_id, dynamic_link_id, clicked_at, expires_at)
       SELECT sha256(($1 || '/' || n)::bytea), $2, $3, 'epoch', to_timestamp($4 / 1000.0) + n * interval '1 ms'
       FROM generate_series(1, $5) n`,
      [String(fromNow), campaign.project.id, campaign.link.id, Date.now() + fromNow, count],
    );
  await insertRows(12_000, -dayMs);
  await insertRows(50, dayMs);
  const tokens = await Promise.all(Array.from({ length: 10 }, () => iosToken(on, campaign)));
  const [answers] = await Promise.all([
    Promise.all(tokens.map((token) => claim(on, campaign.project.subdomain, token))),
    ...services.slice(1).map((service) => service.purge()),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
  // One batch may remain, because a purge skips rows that another one has locked.
  await services[0]!.purge();
  expect(await storedTokens(on)).toBe(50);
  expect(errors).toEqual([]);
});

test.each([
  ['a desktop', { 'User-Agent': macintosh }],
  ['Googlebot as a smartphone', { 'User-Agent': userAgents.googlebot }],
  ['a prefetch on Android', { 'User-Agent': pixel, 'Sec-Purpose': 'prefetch;anonymous-client-ip' }],
  ['a prefetch on iOS', { 'User-Agent': iPhone, 'Sec-Purpose': 'prefetch' }],
  ['the app of Facebook, before a tap', { 'User-Agent': iPhone, 'X-Purpose': 'preview' }],
  ['iMessage', { 'User-Agent': userAgents.iMessage }],
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

// visitor-query.spec.ts has all spellings.
test('reserved parameters in the visited URL reach no destination, page, preview or store', async () => {
  const forged = 'FORGEDFORGEDFORGEDFORG';
  const query = `?deferred_link=${forged}&%5fvia=${forged}&d%65ferred_lin%6b=${forged}2`;
  const everywhere = await aCampaign(on, {
    ios_deferred_deep_link: false,
    desktop_url: 'https://example.com/d?own=1',
    ios_fallback_url: 'https://example.com/i',
    android_fallback_url: 'https://example.com/a',
    social_title: 'Summer',
  });
  for (const userAgent of [macintosh, iPhone, pixel]) {
    const { headers } = await visit(`${query}&kept=%41`, { 'User-Agent': userAgent }, everywhere).expect(302);
    expect(headers['location']).not.toMatch(/FORGED|via|link/);
    expect(headers['location']).toMatch(/[?&]kept=%41$/);
  }
  const pages = await Promise.all([
    ...[iPhone, macintosh, inInstagram(iPhone), inInstagram(pixel)].map((of) => visit(query, { 'User-Agent': of })),
    visit(query, { 'User-Agent': 'facebookexternalhit/1.1' }, everywhere),
  ]);
  for (const { status, text } of pages) expect([status, text.includes('FORGED')]).toEqual([200, false]);
  expect(tokensIn(clipboardTextOf(pages[0].text))).toHaveLength(1);
  const { headers } = await visit(query, { 'User-Agent': pixel }).expect(302);
  const referrer = referrerOf(headers['location']!);
  expect([...referrer.keys()]).toEqual(['deferred_link']);
  await claim(on, campaign.project.subdomain, referrer.get('deferred_link')).expect(200);
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
