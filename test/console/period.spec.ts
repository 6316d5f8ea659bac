import { createRequire } from 'node:module';

type Times = Record<'from' | 'to', string>;
type PeriodsOf = (range: string, timezone: string, now: number) => { current: Times; previous: Times };

type PeriodsOfDays = (
  days: Times,
  timezone: string,
  now: number,
) => ReturnType<PeriodsOf> & { current: { interval: string } };
type CalendarDays = (period: string, timezone: string, now: number) => Times;

/** The console has other TypeScript settings, which an import would not follow. */
const { periodsOf, periodsOfDays, periodsOfSearch, daysOfInterval, calendarDays } = createRequire(__filename)(
  '../../console/src/clicks/period',
) as {
  periodsOfSearch: (search: object, timezone: string, now: number) => { current: Times; previous: Times | null };
  daysOfInterval: (start: string, interval: string, timezone: string) => Times;
  periodsOf: PeriodsOf;
  periodsOfDays: PeriodsOfDays;
  calendarDays: CalendarDays;
};

const timesOf = ({ from, to }: Times) => [from, to].map((time) => time.replace('.000Z', 'Z'));

test.each([
  [
    'a week after the clocks of Berlin went forward',
    ['7d', 'Europe/Berlin', '2026-04-02T10:07:00Z'],
    ['2026-03-26T23:00:00Z', '2026-04-02T10:15:00Z'],
    ['2026-03-19T23:00:00Z', '2026-03-26T11:15:00Z'],
  ],
  [
    'a month over the day on which they went forward',
    ['30d', 'Europe/Berlin', '2026-05-10T10:00:00Z'],
    ['2026-04-10T22:00:00Z', '2026-05-10T10:00:00Z'],
    ['2026-03-11T23:00:00Z', '2026-04-10T10:00:00Z'],
  ],
  [
    '90 days on a Friday, before which are 13 weeks',
    ['90d', 'UTC', '2026-09-04T12:00:00Z'],
    ['2026-06-07T00:00:00Z', '2026-09-04T12:00:00Z'],
    ['2026-03-08T00:00:00Z', '2026-06-05T12:00:00Z'],
  ],
  [
    'a year with a leap day',
    ['12m', 'UTC', '2028-06-15T12:00:00Z'],
    ['2027-06-17T00:00:00Z', '2028-06-15T12:00:00Z'],
    ['2026-06-17T00:00:00Z', '2027-06-16T12:00:00Z'],
  ],
  [
    'a week from the day on which the clocks of Chile went forward at midnight',
    ['7d', 'America/Santiago', '2026-09-12T12:00:00Z'],
    ['2026-09-06T04:00:00Z', '2026-09-12T12:00:00Z'],
    ['2026-08-30T04:00:00Z', '2026-09-05T13:00:00Z'],
  ],
  [
    'a week from that day in Egypt',
    ['7d', 'Africa/Cairo', '2026-04-30T12:00:00Z'],
    ['2026-04-23T22:00:00Z', '2026-04-30T12:00:00Z'],
    ['2026-04-16T22:00:00Z', '2026-04-23T13:00:00Z'],
  ],
  [
    'hours on the day on which clocks go forward',
    ['24h', 'Europe/Berlin', '2026-03-29T10:07:00Z'],
    ['2026-03-28T11:00:00Z', '2026-03-29T10:15:00Z'],
    ['2026-03-27T11:00:00Z', '2026-03-28T10:15:00Z'],
  ],
] as const)('the period before %s has the same days', (_, [range, timezone, now], current, previous) => {
  const periods = periodsOf(range, timezone, Date.parse(now));
  expect([timesOf(periods.current), timesOf(periods.previous)]).toEqual([current, previous]);
});

test.each([
  [
    'a month that is over, with the month before it',
    ['2026-03-01', '2026-03-31', 'Europe/Berlin', '2026-05-10T10:00:00Z'],
    ['day', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['2026-01-31T23:00:00Z', '2026-02-28T23:00:00Z'],
  ],
  [
    'a quarter, with the quarter before it',
    ['2026-04-01', '2026-06-30', 'UTC', '2026-09-01T00:00:00Z'],
    ['week', '2026-04-01T00:00:00Z', '2026-07-01T00:00:00Z'],
    ['2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z'],
  ],
  [
    'the first ten days of a month, with the same part of the month before',
    ['2026-06-01', '2026-06-30', 'UTC', '2026-06-11T00:00:00Z'],
    ['day', '2026-06-01T00:00:00Z', '2026-06-11T00:00:00Z'],
    ['2026-05-01T00:00:00Z', '2026-05-11T00:00:00Z'],
  ],
  [
    'the last day of March, whose elapsed part is longer than all of February',
    ['2026-03-01', '2026-03-31', 'UTC', '2026-03-31T12:00:00Z'],
    ['day', '2026-03-01T00:00:00Z', '2026-03-31T12:00:00Z'],
    ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  ],
  [
    'some days, with as many before',
    ['2026-06-05', '2026-06-07', 'UTC', '2026-09-01T00:00:00Z'],
    ['day', '2026-06-05T00:00:00Z', '2026-06-08T00:00:00Z'],
    ['2026-06-02T00:00:00Z', '2026-06-05T00:00:00Z'],
  ],
  [
    'one day of 23 hours',
    ['2026-03-29', '2026-03-29', 'Europe/Berlin', '2026-09-01T00:00:00Z'],
    ['hour', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['2026-03-27T23:00:00Z', '2026-03-28T23:00:00Z'],
  ],
  [
    'a year',
    ['2025-01-01', '2025-12-31', 'UTC', '2026-09-01T00:00:00Z'],
    ['month', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ],
] as const)('calendar days are compared: %s', (_, [from, to, timezone, now], current, previous) => {
  const periods = periodsOfDays({ from, to }, timezone, Date.parse(now));
  expect([[periods.current.interval, ...timesOf(periods.current)], timesOf(periods.previous)]).toEqual([
    current,
    previous,
  ]);
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
  [{ compare: 'year' }, ['2025-10-01T04:00:00Z', '2025-11-01T04:00:00Z']],
  [{ compare: '2026-03-01' }, ['2026-03-01T05:00:00Z', '2026-04-01T04:00:00Z']],
  [{}, ['2026-09-01T04:00:00Z', '2026-10-01T04:00:00Z']],
  [{ compare: 'none' }, null],
])('the last month is compared by %j', (search, expected) => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const { current, previous } = periodsOfSearch({ range: 'last-month', ...search }, 'America/New_York', now);
  expect(timesOf(current)).toEqual(['2026-10-01T04:00:00Z', '2026-11-01T04:00:00Z']);
  expect(previous && timesOf(previous)).toEqual(expected);
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
