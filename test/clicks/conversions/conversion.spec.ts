import { clickIdOf, digestOfClickId, newClickId } from '../../../src/clicks/conversions/click-id';
import { confidenceInterval } from '../../../src/clicks/conversions/confidence-interval';
import { amount, currency, saleKeyOf } from '../../../src/clicks/conversions/conversion';
import { withParameter } from '../../../src/link-routing/visited-link/query-merge';
import { words } from '../../support/words';

test.each(words('0 19.90 -5.00 0.0001 999999999999.9999'))('the amount %s is read', (sent) => {
  expect(amount.tryParse(sent)).toBe(sent);
});

const noAmounts = words('.5 5. +5 -0 -0.00 05 1e3 1,5 0.00001 1000000000000 NaN');
test.each([...noAmounts, '', ' 5', 5, null])('the amount %j is refused', (sent) => {
  expect(amount.tryParse(sent)).toBeNull();
});

test('currencies are codes of ISO 4217', () => {
  expect(['EUR', 'JPY', 'KWD', 'eur', 'EU', 'QQQ', 978].map((sent) => currency.tryParse(sent))).toEqual([
    ...['EUR', 'JPY', 'KWD'],
    ...[null, null, null, null],
  ]);
});

test.each([
  ['order-1:refund', 'order-1'],
  ['shop:order-1:refund', 'shop:order-1'],
  ['order-1:item:2', 'order-1:item'],
  ['order-1', null],
  [':refund', null],
  ['order-1:', null],
  [':', null],
])('the sale of the refund %s is %s', (key, sale) => {
  expect(saleKeyOf(key)).toBe(sale);
});

test.each([
  ['https://a.example/', 'https://a.example/?id=X'],
  ['https://a.example/?b=1', 'https://a.example/?b=1&id=X'],
  ['https://a.example/?id=1&b=2&id=3', 'https://a.example/?b=2&id=X'],
  ['https://a.example/?i%64=1&b=%20', 'https://a.example/?b=%20&id=X'],
  ['https://a.example/?ID=1', 'https://a.example/?ID=1&id=X'],
  ['https://a.example/#top?id=1', 'https://a.example/?id=X#top?id=1'],
  ['https://a.example/?&&b=1&', 'https://a.example/?b=1&id=X'],
])('%s gets the parameter once', (url, expected) => {
  expect(withParameter(url, 'id', 'X')).toBe(expected);
});

test('click ids have 128 bits, and those of apps follow from their secret alone', () => {
  const ids = Array.from({ length: 100 }, newClickId);
  expect(new Set(ids).size).toBe(100);
  for (const id of [...ids, clickIdOf('a')]) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect([clickIdOf('a') === clickIdOf('a'), clickIdOf('a') === clickIdOf('b')]).toEqual([true, false]);
  expect(digestOfClickId(ids[0]!)).toHaveLength(32);
});

// Values of other programs: R's binom.confint(method = "wilson") prints the same.
test.each([
  [0, 10, 0, 0.2775],
  [5, 10, 0.2366, 0.7634],
  [10, 10, 0.7225, 1],
  [1, 100, 0.0018, 0.0545],
  [50, 1000, 0.0381, 0.0653],
])('%i conversions of %i clicks are a rate from %d to %d', (conversions, clicks, low, high) => {
  const interval = confidenceInterval(conversions, clicks)!;
  expect([interval.low, interval.high].map((end) => Math.round(end * 10_000) / 10_000)).toEqual([low, high]);
});

test.each([
  [0, 0],
  [3, 2],
])('%i conversions of %i clicks have no interval', (conversions, clicks) => {
  expect(confidenceInterval(conversions, clicks)).toBeNull();
});
