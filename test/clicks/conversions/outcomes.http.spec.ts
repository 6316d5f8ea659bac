import { aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';
import { aClickId, aShop, counted, outcomesOf, send, type Shop, storedIds } from './visit-and-send';

let on: TestService;
let shop: Shop;
let id: string;
beforeAll(async () => {
  on = await aService();
  const { key } = await on.anAccount('enterprise');
  shop = await aShop(on, key);
});
afterAll(() => on.stop());
beforeEach(async () => {
  id = await aClickId(on, shop);
});

let orders = 0;
const anOrder = () => `order-${++orders}`;
const sale = (fields: object = {}) => ({
  click_id: id,
  event: 'purchase',
  value: '19.90',
  currency: 'EUR',
  key: anOrder(),
  ...fields,
});
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
const age = (count: number) =>
  on.database.query('UPDATE click_ids SET issued_on = issued_on - $1::int, expires_on = expires_on - $1::int', [count]);
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
  expect(await outcomesOf(on, shop, [sale(sent)])).toEqual([outcome]);
});

test.each<[field: string, fields: object]>([
  ['value', { value: 19.9 }],
  ['value', { value: '1e3' }],
  ['value', { value: '-0.00', key: 'a:b' }],
  ['value', { value: '01' }],
  ['value', { value: '0.00001' }],
  ['value', { value: '1000000000000' }],
  ['value', { value: undefined }],
  ['currency', { currency: undefined }],
  ['currency', { currency: 'eur' }],
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
  const { body } = await send(on, shop, [sale(fields), sale()]).expect(200);
  const {
    counted: one,
    refused,
    results,
  } = (
    body as {
      data: {
        counted: number;
        refused: number;
        results: { outcome: string; error: { details: { path: string[] }[] } }[];
      };
    }
  ).data;
  expect([one, refused, results.map(({ outcome }) => outcome)]).toEqual([1, 1, ['invalid', 'counted']]);
  expect(results[0]!.error.details[0]!.path.at(-1)).toBe(field);
});

test.each([{}, { items: [] }, { items: {} }, { items: Array.from({ length: 1001 }, () => ({})) }])(
  'a body without one to a thousand conversions is refused',
  async (body) => {
    const answer = await on.api('post', `/projects/${shop.project.id}/conversions`, shop.key).send(body);
    expect(answer).toBeRefusedWith('INVALID_INPUT');
  },
);

test('a thousand conversions count in one request', async () => {
  const many = Array.from({ length: 1000 }, () => sale({ key: `${anOrder()}-${'k'.repeat(180)}` }));
  expect(new Set(await outcomesOf(on, shop, many))).toEqual(new Set(['counted']));
});

test('a key counts once: in a request, in a later one, and after its click id is gone', async () => {
  const [one, other] = [sale(), sale()];
  expect(await outcomesOf(on, shop, [one, one, other])).toEqual(['counted', 'repeated', 'counted']);
  expect(await outcomesOf(on, shop, [{ ...one, value: '1' }])).toEqual(['repeated']);
  await on.database.query('DELETE FROM click_ids');
  expect(await outcomesOf(on, shop, [one])).toEqual(['repeated']);
});

test('a refused conversion does not use its key up', async () => {
  const one = sale({ click_id: 'AAAAAAAAAAAAAAAAAAAAAA' });
  expect(await outcomesOf(on, shop, [one, { ...one, click_id: id }])).toEqual(['unknown_click_id', 'counted']);
});

test('a key of one project is free in others, and so is a click id', async () => {
  const other = await aShop(on, shop.key);
  const one = sale();
  expect(await outcomesOf(on, shop, [one])).toEqual(['counted']);
  expect(await outcomesOf(on, other, [one])).toEqual(['unknown_click_id']);
  expect(await outcomesOf(on, other, [{ ...one, click_id: await aClickId(on, other) }])).toEqual(['counted']);
});

test('refunds are subtracted exactly, also after the window and from the same request', async () => {
  shop = { ...(await aShop(on, shop.key)) };
  id = await aClickId(on, shop);
  const one = sale({ value: '0.30', key: 'a:b:1' });
  const refund = (name: string, fields: object = {}) => ({
    event: 'other',
    value: '-0.10',
    currency: 'EUR',
    key: `a:b:1:${name}`,
    ...fields,
  });
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
  const before = await eur();
  const amounts = ['0.1', '0.2', '999999999999.9999', '0.0001'];
  await outcomesOf(
    on,
    shop,
    amounts.map((value) => sale({ value })),
  );
  const units = (text = '0') =>
    BigInt((text.split('.')[0]! + (text.split('.')[1] ?? '').padEnd(4, '0')).replace('.', ''));
  expect(units(await eur()) - units(before)).toBe(10_000_000_000_003_000n);
});

test('click ids go a week after their window, and conversions with the retention', async () => {
  shop = await aShop(on, shop.key);
  id = await aClickId(on, shop);
  await outcomesOf(on, shop, [sale()]);
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
  const other = await aShop(on, shop.key);
  await outcomesOf(on, other, [sale({ click_id: await aClickId(on, other) })]);
  await on.api('delete', `/projects/${other.project.id}`, shop.key).expect(200);
  const left =
    'SELECT (SELECT count(*) FROM conversions WHERE project_id = $1)::int + (SELECT count(*) FROM click_ids WHERE project_id = $1)::int AS left';
  expect(
    await eventually(async () => (await on.database.query<{ left: number }>(left, [other.project.id]))[0]!.left === 0),
  ).toBe(true);
});

test('the export has every conversion in order, as NDJSON and CSV', async () => {
  const other = await aShop(on, shop.key);
  id = await aClickId(on, other);
  await outcomesOf(on, other, [
    sale({ key: 'b' }),
    sale({ key: 'a' }),
    sale({ key: '=1', value: undefined, currency: undefined }),
  ]);
  const get = async (query: string) =>
    (await on.api('get', `/projects/${other.project.id}/conversions/export?${query}`, shop.key).expect(200)).text;
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
    dynamic_link_id: other.link.id,
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
  expect((await counted(on, { ...shop, project }, '?group_by=tag')).totals).toMatchObject({
    conversions: 0,
    rate: null,
  });
});
