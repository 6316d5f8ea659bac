import supertest from 'supertest';
import { aDynamicLink, aShortLink } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';
import { aClickId, aShop, counted, destinationOf, outcomesOf, send, type Shop, storedIds } from './visit-and-send';
import { randomBytes } from 'node:crypto';
import { androidToken, claim, aCampaign, type Campaign, iosToken } from '../../link-traffic/deferred-links/claim-link';

let on: TestService;
let key: string;
let shop: Shop;
beforeAll(async () => {
  on = await aService();
  key = (await on.anAccount('enterprise')).key;
});
afterAll(() => on.stop());
beforeEach(async () => {
  shop = await aShop(on, key);
});

const sale = (clickId: string, order: string, fields: object = {}) => ({
  click_id: clickId,
  event: 'purchase',
  value: '19.90',
  currency: 'EUR',
  key: order,
  ...fields,
});

test('a visit gets a click id, and its conversion counts for link, event and currency', async () => {
  const id = await aClickId(on, shop);
  expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  const { body } = await send(on, shop, [
    sale(id, 'a'),
    sale(id, 'b', { value: '0.10' }),
    { click_id: id, event: 'signup', key: 'c' },
  ]);
  expect(body).toEqual({
    data: {
      counted: 3,
      repeated: 0,
      refused: 0,
      results: Array.from({ length: 3 }, () => ({ outcome: 'counted', error: null })),
    },
  });
  const all = await eventually(async () => {
    const answer = await counted(on, shop, '?group_by=event');
    return answer.totals.clicks === 1 && answer;
  });
  expect(all.totals).toEqual({
    clicks: 1,
    opens: 0,
    claims: 0,
    conversions: 3,
    refunds: 0,
    values: [{ currency: 'EUR', value: '20.00' }],
    untrusted: 0,
    rate: 3,
  });
  expect(all.groups).toMatchObject([
    { value: 'purchase', conversions: 2, values: [{ currency: 'EUR', value: '20.00' }], clicks: 1, rate: 2 },
    { value: 'signup', conversions: 1, values: [], clicks: 1, rate: 1 },
  ]);
  expect((await counted(on, shop, '?group_by=link')).groups).toMatchObject([
    { value: shop.link.id, name: shop.link['name'], conversions: 3, clicks: 1 },
  ]);
});

test('only the digest of a click id is stored, with link, day and platform', async () => {
  const id = await aClickId(on, shop);
  const rows = await on.database.query<Record<string, unknown>>('SELECT * FROM click_ids WHERE project_id = $1', [
    shop.project.id,
  ]);
  const {
    digest,
    issued_on: issued,
    expires_on: expires,
    ...others
  } = rows[0] as Record<string, unknown> & { issued_on: Date; expires_on: Date };
  expect(JSON.stringify(rows)).not.toContain(id);
  expect((digest as Buffer).length).toBe(32);
  expect(Math.round((+expires - +issued) / 86_400_000)).toBe(30);
  expect(others).toEqual({
    project_id: shop.project.id,
    dynamic_link_id: shop.link.id,
    short_link_id: null,
    platform: 'desktop',
    variant: null,
    untrusted: 0,
  });
});

test('the id replaces parameters of its name, and keeps others and the fragment', async () => {
  const path = { custom_path: 'x', desktop_url: 'https://shop.example.com/sale?a=1&ref=old#top' };
  shop = await aShop(on, key, { conversions: true, click_id_param: 'ref' }, path);
  const url = await destinationOf(on, shop, '?ref=forged&b=2');
  expect(url.toString()).toMatch(/^https:\/\/shop\.example\.com\/sale\?a=1&b=2&ref=[A-Za-z0-9_-]{22}#top$/);
});

test.each<[string, Record<string, string>]>([
  ['robot', { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }],
  ['prefetch', { 'Sec-Purpose': 'prefetch' }],
  ['social preview', { 'User-Agent': 'facebookexternalhit/1.1' }],
])('a %s gets no click id', async (_, headers) => {
  const answer = await on.visit(shop.project.subdomain, `/${shop.link.custom_path}`, headers);
  expect(answer.headers['location'] ?? '').not.toContain('click_id');
});

test('HEAD gets no click id, and no redirect with one is cached', async () => {
  const path = `/${shop.link.custom_path}`;
  const { headers } = await on.visit(shop.project.subdomain, path).expect(302);
  expect([headers['location'], headers['cache-control']]).toEqual([
    expect.stringContaining('click_id='),
    'private, no-store',
  ]);
  const host = { Host: `${shop.project.subdomain}.localhost` };
  const head = await supertest(on.url).head(path).set(host).redirects(0);
  expect([head.status, head.headers['location']]).toEqual([302, 'https://shop.example.com/sale']);
});

test('links without conversions get no id, and a link can have them alone', async () => {
  shop = await aShop(on, key, {});
  expect((await destinationOf(on, shop)).search).toBe('');
  const own = await aDynamicLink(on, key, shop.project.id, { conversions: true });
  expect((await destinationOf(on, { ...shop, link: own })).searchParams.has('click_id')).toBe(true);
  expect(await eventually(async () => (await storedIds(on, shop.project.id)) === 1)).toBe(true);
});

test('a conversion counts for the short link that was visited', async () => {
  const { id, slug } = await aShortLink(on, key, shop.project.id, shop.link.id);
  const clickId = await aClickId(on, { ...shop, link: { ...shop.link, custom_path: slug } });
  expect(await outcomesOf(on, shop, [sale(clickId, 'a')])).toEqual(['counted']);
  expect((await counted(on, shop, '?group_by=short_link')).groups).toMatchObject([{ value: id, conversions: 1 }]);
});

test('a conversion counts for each tag of the link', async () => {
  shop = await aShop(on, key, undefined, { tags: ['A', 'B'] });
  expect(await outcomesOf(on, shop, [sale(await aClickId(on, shop), 'a')])).toEqual(['counted']);
  const { groups } = await counted(on, shop, '?group_by=tag');
  expect(groups.map(({ name, conversions }) => [name, conversions]).sort()).toEqual([
    ['A', 1],
    ['B', 1],
  ]);
  expect((await counted(on, shop, '?tag=A')).totals.conversions).toBe(1);
  expect((await counted(on, shop, '?tag=C')).totals.conversions).toBe(0);
});

const anId = () => randomBytes(16).toString('base64url');

interface AppAnswer {
  click_id: string | null;
  external_id: string | null;
  destination?: string;
}

const dataOf = ({ body }: { body: unknown }): AppAnswer => (body as { data: AppAnswer }).data;

async function open({ project, link }: Campaign, openId = anId()): Promise<AppAnswer> {
  const url = `https://${project.subdomain}.localhost/${link.custom_path}`;
  const answer = await supertest(on.url)
    .post('/links/open')
    .set({ Host: `${project.subdomain}.localhost` })
    .send({ url, app: { package_name: 'com.example.shop', version: '1' }, open_id: openId })
    .expect(200);
  return dataOf(answer);
}

describe('of apps', () => {
  let campaign: Campaign;
  beforeEach(async () => {
    campaign = await aCampaign(on, { conversions: true, external_id: 'inviter-7' });
  });

  test('a claim tells who invited, and its conversion counts for the link of the inviter', async () => {
    const token = await iosToken(on, campaign);
    const claimId = anId();
    const first = dataOf(await claim(on, campaign.project.subdomain, token, {}, claimId).expect(200));
    expect(first).toMatchObject({ external_id: 'inviter-7', click_id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/) });
    expect(dataOf(await claim(on, campaign.project.subdomain, token, {}, claimId).expect(200)).click_id).toBe(
      first.click_id,
    );
    expect(await storedIds(on, campaign.project.id)).toBe(1);
    expect(await outcomesOf(on, campaign, [{ click_id: first.click_id, event: 'signup', key: 'user-1' }])).toEqual([
      'counted',
    ]);
    const { groups, totals } = await counted(on, campaign, '?group_by=link');
    expect(groups).toMatchObject([{ value: campaign.link.id, conversions: 1 }]);
    expect(totals).toMatchObject({ claims: 1, conversions: 1 });
    expect((await counted(on, campaign, '?group_by=platform')).groups).toMatchObject([{ value: 'ios' }]);
  });

  test('a claim on Android has one too', async () => {
    const token = await androidToken(on, campaign);
    expect(dataOf(await claim(on, campaign.project.subdomain, token).expect(200)).click_id).not.toBeNull();
  });

  test('an open gets one in its answer and destination, the same for the same open', async () => {
    const openId = anId();
    const first = await open(campaign, openId);
    expect(first.destination).toBe(`https://example.com/desktop?click_id=${first.click_id}`);
    expect((await open(campaign, openId)).click_id).toBe(first.click_id);
    expect((await open(campaign)).click_id).not.toBe(first.click_id);
    await eventually(async () => (await storedIds(on, campaign.project.id)) === 2);
    expect(await outcomesOf(on, campaign, [{ click_id: first.click_id, event: 'e', key: 'a' }])).toEqual(['counted']);
    expect((await counted(on, campaign)).totals.opens).toBe(2);
  });

  test('a link without conversions gives apps none', async () => {
    campaign = await aCampaign(on);
    const token = await iosToken(on, campaign);
    expect(dataOf(await claim(on, campaign.project.subdomain, token).expect(200)).click_id).toBeNull();
    expect(await open(campaign)).toMatchObject({ click_id: null, destination: 'https://example.com/desktop' });
    expect(await storedIds(on, campaign.project.id)).toBe(0);
  });

  test('“Continue” of the page in an in-app browser has a new one for each visit', async () => {
    campaign = await aCampaign(on, { conversions: true, android_fallback_url: 'https://shop.example.com/android' });
    const inApp =
      'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.0';
    const ids = async () => {
      const { text } = await on.visit(campaign.project.subdomain, '/summer', { 'User-Agent': inApp }).expect(200);
      return [...new Set([...text.matchAll(/android\?click_id=([A-Za-z0-9_-]{22})/g)].map(([, id]) => id))];
    };
    const [first, second] = [await ids(), await ids()];
    expect([first.length, second.length, first[0] === second[0]]).toEqual([1, 1, false]);
  });
});
