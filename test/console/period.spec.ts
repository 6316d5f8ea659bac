import { load } from './load';

const { periodsOf, periodsOfDays, periodsOfSearch, daysOfInterval, calendarDays } = load('clicks/period');

/** Writes the two times of a period to the minute, without the year that is given. */
const span = ({ from, to }: { from: string; to: string }, year = 'none'): string =>
  `${from} ${to}`.replaceAll(':00.000Z', '').replaceAll(`${year.slice(0, 4)}-`, '');

const berlin = 'Europe/Berlin';

// The period before has the same days.
test.each([
  // The clocks of Berlin went forward on 29 March.
  ['7d', berlin, '2026-04-02T10:07', '03-26T23:00 04-02T10:15', '03-19T23:00 03-26T11:15'],
  ['30d', berlin, '2026-05-10T10:00', '04-10T22:00 05-10T10:00', '03-11T23:00 04-10T10:00'],
  ['24h', berlin, '2026-03-29T10:07', '03-28T11:00 03-29T10:15', '03-27T11:00 03-28T10:15'],
  // A Friday, before which are 13 weeks.
  ['90d', 'UTC', '2026-09-04T12:00', '06-07T00:00 09-04T12:00', '03-08T00:00 06-05T12:00'],
  // A year with a leap day.
  ['12m', 'UTC', '2028-06-15T12:00', '2027-06-17T00:00 06-15T12:00', '2026-06-17T00:00 2027-06-16T12:00'],
  // The clocks of Chile and Egypt went forward at midnight of the first day.
  ['7d', 'America/Santiago', '2026-09-12T12:00', '09-06T04:00 09-12T12:00', '08-30T04:00 09-05T13:00'],
  ['7d', 'Africa/Cairo', '2026-04-30T12:00', '04-23T22:00 04-30T12:00', '04-16T22:00 04-23T13:00'],
])('%s in %s until %s are %s, and before %s', (range, timezone, now, current, previous) => {
  const periods = periodsOf(range, timezone, Date.parse(`${now}Z`));
  expect([span(periods.current, now), span(periods.previous, now)]).toEqual([current, previous]);
});

test.each([
  // A month that is over, with the month before it, and a quarter with the quarter before it.
  ['2026-03-01', '2026-03-31', berlin, '2026-05-10', 'day', '02-28T23:00 03-31T22:00', '01-31T23:00 02-28T23:00'],
  ['2026-04-01', '2026-06-30', 'UTC', '2026-09-01', 'week', '04-01T00:00 07-01T00:00', '01-01T00:00 04-01T00:00'],
  // The first ten days of a month, with the same part of the month before.
  ['2026-06-01', '2026-06-30', 'UTC', '2026-06-11', 'day', '06-01T00:00 06-11T00:00', '05-01T00:00 05-11T00:00'],
  // A part of March that is longer than all of February.
  ['2026-03-01', '2026-03-31', 'UTC', '2026-03-31T12:00Z', 'day', '03-01T00:00 03-31T12:00', '02-01T00:00 03-01T00:00'],
  // Some days, with as many before, and one day of 23 hours.
  ['2026-06-05', '2026-06-07', 'UTC', '2026-09-01', 'day', '06-05T00:00 06-08T00:00', '06-02T00:00 06-05T00:00'],
  ['2026-03-29', '2026-03-29', berlin, '2026-09-01', 'hour', '03-28T23:00 03-29T22:00', '03-27T23:00 03-28T23:00'],
  // A year.
  [
    '2026-01-01',
    '2026-12-31',
    'UTC',
    '2027-09-01',
    'month',
    '01-01T00:00 2027-01-01T00:00',
    '2025-01-01T00:00 01-01T00:00',
  ],
])('the days from %s to %s in %s at %s are compared by %s', (from, to, timezone, now, interval, current, previous) => {
  const { current: days, previous: before } = periodsOfDays({ from, to }, timezone, Date.parse(now));
  expect([days.interval, span(days, from), span(before, from)]).toEqual([interval, current, previous]);
});

test.each([
  ['this-week', 'UTC', '2026-11-29T23:30:00Z', '2026-11-23', '2026-11-29'],
  ['this-week', 'Europe/Berlin', '2026-11-29T23:30:00Z', '2026-11-30', '2026-12-06'],
  ['last-week', 'UTC', '2027-01-01T12:00:00Z', '2026-12-21', '2026-12-27'],
  ['this-month', 'UTC', '2028-02-29T12:00:00Z', '2028-02-01', '2028-02-29'],
  ['last-month', 'UTC', '2026-03-31T12:00:00Z', '2026-02-01', '2026-02-28'],
  ['last-month', 'America/New_York', '2026-01-01T02:00:00Z', '2025-11-01', '2025-11-30'],
])('%s in %s at %s', (period, timezone, now, from, to) => {
  expect(calendarDays(period, timezone, Date.parse(now))).toEqual({ from, to });
});

test.each([
  [{ compare: 'year' }, '2025-10-01T04:00 2025-11-01T04:00'],
  [{ compare: '2026-03-01' }, '2026-03-01T05:00 2026-04-01T04:00'],
  [{}, '2026-09-01T04:00 2026-10-01T04:00'],
  [{ compare: 'none' }, null],
])('the last month is compared by %j', (search, expected) => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const { current, previous } = periodsOfSearch({ range: 'last-month', ...search }, 'America/New_York', now);
  expect([span(current), previous && span(previous)]).toEqual(['2026-10-01T04:00 2026-11-01T04:00', expected]);
});

test.each([
  ['2026-06-09T22:00:00Z', 'day', ['2026-06-10', '2026-06-10']],
  ['2026-06-09T10:00:00Z', 'hour', ['2026-06-09', '2026-06-09']],
  ['2026-06-07T22:00:00Z', 'week', ['2026-06-08', '2026-06-14']],
  ['2026-06-09T22:00:00Z', 'week', ['2026-06-10', '2026-06-14']],
  ['2026-01-31T23:00:00Z', 'month', ['2026-02-01', '2026-02-28']],
])('the interval from %s, a %s, has the days %j', (start, interval, [from, to]) => {
  expect(daysOfInterval(start, interval, 'Europe/Berlin')).toEqual({ from, to });
});
