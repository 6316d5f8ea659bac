import { eventually } from '../support/eventually';
import { scaled } from '../support/scale';
import { inTurns, useInstallation } from './installation';

// A shop that repeats requests without an answer, while the service is killed. A tenth of the conversions are repeated anyway.
jest.setTimeout(3_600_000);

const conversions = Number(process.env['KILLED_CONVERSIONS'] ?? scaled(100_000));
const perRequest = 100;

const on = useInstallation('shop', { project: { conversions: true } });
const ids: string[] = [];
beforeAll(async () => {
  for (const path of ['a', 'b', 'c']) {
    await on.createLink(path);
    for (let visit = 0; visit < 10; visit++) {
      const { headers } = await on.service.visit('shop', `/${path}`);
      ids.push(new URL(headers.location!).searchParams.get('click_id')!);
    }
  }
  await eventually(async () => (await on.cluster.query('SELECT FROM click_ids')).length === ids.length);
});

const currencyOf = (number: number): string => (number % 2 ? 'EUR' : 'USD');
const decimal = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** Every seventh conversion has a refund. Cents differ, so that a lost or repeated one changes the sum. */
const rowsOf = (number: number): object[] => {
  const sale = {
    click_id: ids[number % ids.length],
    event: number % 3 ? 'purchase' : 'booking',
    value: decimal(BigInt(number)),
    currency: currencyOf(number),
    key: `order-${number}`,
  };
  const refund = { event: 'refund', value: '-0.01', currency: sale.currency, key: `${sale.key}:refund` };
  return number % 7 === 0 ? [sale, refund] : [sale];
};

test('sums are exact, although the service is killed and a tenth of the conversions repeat', async () => {
  const numbers = Array.from({ length: conversions }, (_, at) => at + 1);
  const sent = [...numbers, ...numbers.filter((number) => number % 10 === 0)];
  // A refund is in the request of its sale, because requests arrive in any order.
  const batches = Array.from({ length: Math.ceil(sent.length / perRequest) }, (_, at) =>
    sent.slice(at * perRequest, (at + 1) * perRequest).flatMap(rowsOf),
  );
  const all = batches.length;
  const outcomes = new Set<string>();
  const working = inTurns(8, batches, async (items) => {
    const { status, text, json } = await on.ask(`${on.project}/conversions`, {
      method: 'POST',
      key: on.key,
      body: { items },
    });
    expect([status, text]).toEqual([200, text]);
    for (const { outcome } of json.data['results'] as { outcome: string }[]) outcomes.add(outcome);
  });
  await on.killDuring(working, 5, () => 1 - batches.length / all);
  const cents = (currency: string): bigint =>
    numbers
      .filter((number) => currencyOf(number) === currency)
      .reduce((sum, number) => sum + BigInt(number) - (number % 7 === 0 ? 1n : 0n), 0n);
  const statistics = await on.ask(`${on.project}/analytics/conversions?group_by=link`, { key: on.key });
  const { totals, groups } = statistics.json.data as unknown as {
    totals: { conversions: number; refunds: number; values: { currency: string; value: string }[] };
    groups: { conversions: number }[];
  };
  expect(totals).toMatchObject({ conversions, refunds: Math.floor(conversions / 7) });
  expect(Object.fromEntries(totals.values.map(({ currency, value }) => [currency, value]))).toEqual({
    EUR: decimal(cents('EUR')),
    USD: decimal(cents('USD')),
  });
  expect(groups.reduce((sum, group) => sum + group.conversions, 0)).toBe(conversions);
  expect([...outcomes].filter((outcome) => outcome !== 'counted' && outcome !== 'repeated')).toEqual([]);
});
