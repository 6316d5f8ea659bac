import supertest from 'supertest';
import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { eventually, until } from '../../support/eventually';
import { serviceFixture, accountFixture, fixtureOfEach } from '../../support/fixtures';
import { aClickId, aShop, counted, destinationOf, outcomesOf, send, type Shop, storedIds } from './visit-and-send';
import { randomBytes } from 'node:crypto';
import { claim, aCampaign, type Campaign, iosToken } from '../../link-traffic/deferred-links/claim-link';

const on = serviceFixture();
const account = accountFixture(on);
const shop: Shop = fixtureOfEach(() => aShop(on, account.key));

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
  const signup = { click_id: id, event: 'signup', key: 'c' };
  const { body } = await send(on, shop, [sale(id, 'a'), sale(id, 'b', { value: '0.10' }), signup]);
  const results = Array.from({ length: 3 }, () => ({ outcome: 'counted', error: null }));
  expect(body).toEqual({ data: { counted: 3, repeated: 0, refused: 0, results } });
  const all = await eventually(async () => {
    const answer = await counted(on, shop, '?group_by=event');
    return answer.totals.clicks === 1 && answer;
  });
  const none = { opens: 0, claims: 0, refunds: 0, untrusted: 0 };
  const values = [{ currency: 'EUR', value: '20.00' }];
  expect(all.totals).toEqual({ ...none, clicks: 1, conversions: 3, values, rate: 3 });
  expect(all.groups).toMatchObject([
    { value: 'purchase', conversions: 2, values, clicks: 1, rate: 2 },
    { value: 'signup', conversions: 1, values: [], clicks: 1, rate: 1 },
  ]);
  expect((await counted(on, shop, '?group_by=link')).groups).toMatchObject([
    { value: shop.link.id, name: shop.link['name'], conversions: 3, clicks: 1 },
  ]);
});

test('only the digest of a click id is stored, with link, day and platform', async () => {
  const id = await aClickId(on, shop);
  const sql = 'SELECT * FROM click_ids WHERE project_id = $1';
  const rows = await on.database.query<Record<string, unknown>>(sql, [shop.project.id]);
  expect(JSON.stringify(rows)).not.toContain(id);
  const { digest, issued_on: issued, expires_on: expires } = rows[0] as { digest: Buffer } & Record<string, Date>;
  expect([digest.length, Math.round((+expires! - +issued!) / 86_400_000)]).toEqual([32, 30]);
  expect(rows[0]).toEqual({
    digest,
    issued_on: issued,
    expires_on: expires,
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
  const shop = await aShop(on, account.key, { conversions: true, click_id_param: 'ref' }, path);
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
  expect(headers['location']).toContain('click_id=');
  expect(headers['cache-control']).toBe('private, no-store');
  const host = { Host: `${shop.project.subdomain}.localhost` };
  const head = await supertest(on.url).head(path).set(host).redirects(0);
  expect([head.status, head.headers['location']]).toEqual([302, 'https://shop.example.com/sale']);
});

test('links without conversions get no id, and a link can have them alone', async () => {
  const shop = await aShop(on, account.key, {});
  expect((await destinationOf(on, shop)).search).toBe('');
  const own = await aDynamicLink(on, account.key, shop.project.id, { conversions: true });
  expect((await destinationOf(on, { ...shop, link: own })).searchParams.has('click_id')).toBe(true);
  expect(await eventually(async () => (await storedIds(on, shop.project.id)) === 1)).toBe(true);
});

test('a conversion counts for the short link that was visited', async () => {
  const { id, slug } = await aShortLink(on, account.key, shop.project.id, shop.link.id);
  const clickId = await aClickId(on, { ...shop, link: { ...shop.link, custom_path: slug } });
  expect(await outcomesOf(on, shop, [sale(clickId, 'a')])).toEqual(['counted']);
  expect((await counted(on, shop, '?group_by=short_link')).groups).toMatchObject([{ value: id, conversions: 1 }]);
});

test('a conversion counts for each tag of the link', async () => {
  const shop = await aShop(on, account.key, undefined, { tags: ['A', 'B'] });
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
  beforeEach(async () => (campaign = await aCampaign(on, { conversions: true, external_id: 'inviter-7' })));

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

describe('the outcome of a conversion', () => {
  let id: string;
  const aSale = (fields: object = {}) => sale(id, anOrder(), fields);
  let orders = 0;
  const anOrder = () => `order-${++orders}`;
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
  beforeEach(async () => (id = await aClickId(on, shop)));
  const age = (count: number) =>
    on.database.query('UPDATE click_ids SET issued_on = issued_on - $1::int, expires_on = expires_on - $1::int', [
      count,
    ]);
  const purge = (months = 120) => on.database.query('SELECT purge_conversions($1, 10000)', [months]);
  const eur = async () => (await counted(on, shop)).totals.values.find(({ currency }) => currency === 'EUR')?.value;

  test.each<[outcome: string, fields: () => object]>([
    ['counted', () => ({ occurred_at: days(0) })],
    ['counted', () => ({ value: '0', currency: 'JPY' })],
    ['unknown_click_id', () => ({ click_id: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    ['unknown_click_id', () => ({ click_id: 'x' })],
    ['expired_click_id', () => ({ occurred_at: days(0), click_id: 'aged' })],
    ['invalid_time', () => ({ occurred_at: days(-2) })],
    ['invalid_time', () => ({ occurred_at: days(1) })],
    ['unknown_sale', () => ({ value: '-1', key: 'never:refund' })],
  ])('%s: %s', async (outcome, fields) => {
    const sent = fields() as { click_id?: string };
    if (sent.click_id === 'aged') {
      await age(31);
      sent.click_id = id;
    }
    expect(await outcomesOf(on, shop, [aSale(sent)])).toEqual([outcome]);
  });

  test.each<[field: string, fields: object]>([
    ['value', { value: 19.9 }],
    ['value', { value: undefined }],
    ['currency', { currency: undefined }],
    ['currency', { currency: 'XYZ' }],
    ['key', { key: '' }],
    ['key', { key: 'a\n' }],
    ['key', { key: 'x'.repeat(201) }],
    ['key', { value: '-1' }],
    ['key', { value: '-1', key: 'order:' }],
    ['event', { event: 'purchase completed' }],
    ['click_id', { click_id: undefined }],
    ['occurred_at', { occurred_at: 'today' }],
    ['customer', { customer: 'someone@example.com' }],
  ])('a wrong %s is invalid alone: %j', async (field, fields) => {
    const { body } = await send(on, shop, [aSale(fields), aSale()]).expect(200);
    const results = [{ outcome: 'invalid' }, { outcome: 'counted' }];
    expect(body.data).toMatchObject({ counted: 1, refused: 1, results });
    expect(body.data.results[0].error.details[0].path.at(-1)).toBe(field);
  });

  test.each([{}, { items: [] }, { items: {} }, { items: Array.from({ length: 1001 }, () => ({})) }])(
    'a body without one to a thousand conversions is refused',
    async (body) => {
      const answer = await on.api('post', `/projects/${shop.project.id}/conversions`, shop.key).send(body);
      expect(answer).toBeRefusedWith('INVALID_INPUT');
    },
  );

  test('a thousand conversions count in one request', async () => {
    const many = Array.from({ length: 1000 }, () => aSale({ key: `${anOrder()}-${'k'.repeat(180)}` }));
    expect(new Set(await outcomesOf(on, shop, many))).toEqual(new Set(['counted']));
  });

  test('a key counts once: in a request, in a later one, and after its click id is gone', async () => {
    const [one, other] = [aSale(), aSale()];
    expect(await outcomesOf(on, shop, [one, one, other])).toEqual(['counted', 'repeated', 'counted']);
    expect(await outcomesOf(on, shop, [{ ...one, value: '1' }])).toEqual(['repeated']);
    await on.database.query('DELETE FROM click_ids');
    expect(await outcomesOf(on, shop, [one])).toEqual(['repeated']);
  });

  test('a refused conversion does not use its key up', async () => {
    const one = aSale({ click_id: 'AAAAAAAAAAAAAAAAAAAAAA' });
    expect(await outcomesOf(on, shop, [one, { ...one, click_id: id }])).toEqual(['unknown_click_id', 'counted']);
  });

  test('a key of one project is free in others, and so is a click id', async () => {
    const other = await aShop(on, shop.key);
    const one = aSale();
    expect(await outcomesOf(on, shop, [one])).toEqual(['counted']);
    expect(await outcomesOf(on, other, [one])).toEqual(['unknown_click_id']);
    expect(await outcomesOf(on, other, [{ ...one, click_id: await aClickId(on, other) }])).toEqual(['counted']);
  });

  test('refunds are subtracted exactly, also after the window and from the same request', async () => {
    const one = aSale({ value: '0.30', key: 'a:b:1' });
    const refund = (name: string, fields: object = {}) =>
      sale(id, `a:b:1:${name}`, { click_id: undefined, event: 'other', value: '-0.10', ...fields });
    expect(await outcomesOf(on, shop, [refund('first'), one])).toEqual(['counted', 'counted']);
    await on.database.query('DELETE FROM click_ids WHERE project_id = $1', [shop.project.id]);
    expect(await outcomesOf(on, shop, [refund('second'), refund('first')])).toEqual(['counted', 'repeated']);
    expect(await outcomesOf(on, shop, [refund('third', { currency: 'USD' })])).toEqual(['other_currency']);
    expect(await outcomesOf(on, shop, [refund('second', { key: 'a:b:1:second:again' })])).toEqual(['unknown_sale']);
    const { groups } = await counted(on, shop, '?group_by=event');
    expect(groups).toMatchObject([
      { value: 'purchase', conversions: 1, refunds: 2, values: [{ currency: 'EUR', value: '0.10' }] },
    ]);
  });

  test('values of many decimals are summed without rounding', async () => {
    const amounts = ['0.1', '0.2', '999999999999.9999', '0.0001'];
    const sales = amounts.map((value) => aSale({ value }));
    await outcomesOf(on, shop, sales);
    expect((await eur())!).toMatch(/^1000000000000\.30*$/);
  });

  test('click ids go a week after their window, and conversions with the retention', async () => {
    await outcomesOf(on, shop, [aSale()]);
    await age(37);
    await purge();
    expect(await storedIds(on, shop.project.id)).toBe(1);
    await age(1);
    await purge();
    expect(await storedIds(on, shop.project.id)).toBe(0);
    await on.database.query("UPDATE conversions SET received_at = now() - interval '99 days'");
    await purge(0);
    expect((await counted(on, shop)).totals.conversions).toBe(1);
    await on.database.query("UPDATE conversions SET received_at = now() - interval '200 days'");
    await purge(0);
    expect((await counted(on, shop)).totals.conversions).toBe(0);
  });

  test('the window of the project decides, for visits after its change', async () => {
    const other = await aShop(on, shop.key, { conversions: true, conversion_window_days: 1 });
    const clickId = await aClickId(on, other);
    const at = (count: number) => ({ click_id: clickId, event: 'e', key: anOrder(), occurred_at: days(count) });
    await on.database.query(
      'UPDATE click_ids SET issued_on = issued_on - 3, expires_on = expires_on - 3 WHERE project_id = $1',
      [other.project.id],
    );
    expect(await outcomesOf(on, other, [at(-2), at(-1)])).toEqual(['counted', 'expired_click_id']);
  });

  test('the deletion of a project removes its click ids and conversions', async () => {
    await outcomesOf(on, shop, [aSale()]);
    await on.api('delete', `/projects/${shop.project.id}`, account.key).expect(200);
    const left =
      'SELECT (SELECT count(*) FROM conversions WHERE project_id = $1)::int + (SELECT count(*) FROM click_ids WHERE project_id = $1)::int AS left';
    await until(async () => (await on.database.query<{ left: number }>(left, [shop.project.id]))[0]!.left === 0);
  });

  test('the export has every conversion in order, as NDJSON and CSV', async () => {
    const without = { value: undefined, currency: undefined };
    await outcomesOf(on, shop, [aSale({ key: 'b' }), aSale({ key: 'a' }), aSale({ key: '=1', ...without })]);
    const get = async (query: string) =>
      (await on.api('get', `/projects/${shop.project.id}/conversions/export?${query}`, shop.key).expect(200)).text;
    const lines = (await get('format=ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ key }) => key)).toEqual(['=1', 'a', 'b']);
    expect(lines[1]).toEqual({
      occurred_at: expect.stringMatching(/Z$/),
      key: 'a',
      event: 'purchase',
      value: '19.90',
      currency: 'EUR',
      dynamic_link_id: shop.link.id,
      short_link_id: null,
      variant: null,
      platform: 'desktop',
      trusted: true,
      received_at: expect.stringMatching(/Z$/),
    });
    expect(await get('')).toContain(",'=1,purchase,,,");
    expect(await get('format=ndjson&to=2020-01-01T00:00:00Z')).toBe('');
  });

  test('a project without visits has empty statistics', async () => {
    const project = await aProject(on, shop.key);
    const { totals } = await counted(on, { ...shop, project }, '?group_by=tag');
    expect(totals).toMatchObject({ conversions: 0, rate: null });
  });
});
