import { load } from './load';

const { lastDayOf, endOfDay, shownEnd } = load('clicks/share-end');

test.each([
  ['a Monday', '2026-11-30T12:00:00Z', 'Europe/Vienna', '2026-12-04'],
  ['a Friday', '2026-12-04T12:00:00Z', 'Europe/Vienna', '2026-12-11'],
  ['a Saturday', '2026-12-05T12:00:00Z', 'Europe/Vienna', '2026-12-11'],
  ['a Friday in UTC that is a Saturday there', '2026-12-04T12:00:00Z', 'Pacific/Auckland', '2026-12-11'],
  ['a Thursday there', '2026-12-04T03:00:00Z', 'America/New_York', '2026-12-04'],
])('on %s, a share ends on the next Friday', (_, now, timezone, expected) => {
  expect(lastDayOf('friday', timezone, Date.parse(now))).toBe(expected);
});

test('a share ends after so many days', () => {
  expect(lastDayOf('30', 'UTC', Date.parse('2026-11-30T23:59:00Z'))).toBe('2026-12-30');
});

test.each([
  ['2026-12-04', 'Europe/Vienna', '2026-12-04T23:00:00.000Z'],
  ['2026-10-24', 'Europe/Vienna', '2026-10-24T22:00:00.000Z'],
  ['2026-12-31', 'UTC', '2027-01-01T00:00:00.000Z'],
  ['', 'UTC', null],
  ['2026-02-99', 'UTC', null],
])('the day %s in %s ends at %s', (day, timezone, expected) => {
  expect(endOfDay(day, timezone)).toBe(expected);
});

test.each([
  ['2026-12-04T23:00:00.000Z', 'Europe/Vienna', '2026-12-04T22:59:00.000Z'],
  ['2026-12-05T00:00:00.000Z', 'Europe/Vienna', '2026-12-05T00:00:00.000Z'],
])('an end at %s in %s is shown as %s', (end, timezone, expected) => {
  expect(shownEnd(end, timezone).toISOString()).toBe(expected);
});
