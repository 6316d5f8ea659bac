import { OfferedEscapes } from '../../../src/link-traffic/recording/offered-escapes';

let now: number;
let offers: OfferedEscapes;
beforeEach(() => {
  now = 1_000_000;
  offers = new OfferedEscapes({ now: () => now });
});

test('each page allows one visit', () => {
  expect(offers.take('a')).toBe(false);
  offers.add('a');
  offers.add('a');
  offers.add('b');
  expect([offers.take('a'), offers.take('a'), offers.take('a'), offers.take('b')]).toEqual([true, true, false, true]);
});

test('pages expire after ten minutes', () => {
  offers.add('a');
  now += 599_999;
  offers.add('a');
  now += 599_999;
  expect(offers.take('a')).toBe(true);
  now += 2;
  expect(offers.take('a')).toBe(false);
  offers.add('a');
  expect([offers.take('a'), offers.take('a')]).toEqual([true, false]);
});
