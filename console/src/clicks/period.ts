import type { AnalyticsFilter } from '../api/queries';
import { type ClicksSearch, type Days, daysIn, lastMonth, type Range } from './clicks-search';
import { dayAt, startOf, startOfDay, timeOnDay } from './time-zones';

const quarterMs = 15 * 60_000;
const hourMs = 4 * quarterMs;
const dayMs = 24 * hourMs;

const lengths: Record<Range, { days: number; daysBefore: number; interval: NonNullable<AnalyticsFilter['interval']> }> =
  {
    '24h': { days: 1, daysBefore: 1, interval: 'hour' },
    '7d': { days: 7, daysBefore: 7, interval: 'day' },
    '30d': { days: 30, daysBefore: 30, interval: 'day' },
    // Whole weeks, so that weeks are compared that begin on the same day.
    '90d': { days: 90, daysBefore: 91, interval: 'week' },
    '12m': { days: 365, daysBefore: 365, interval: 'month' },
  };

export type Period = Required<Pick<AnalyticsFilter, 'from' | 'to' | 'interval' | 'timezone'>>;

interface Periods {
  current: Period;
  previous: Period;
}

const periodIn =
  (timezone: string, interval: Period['interval']) =>
  (from: number, to: number): Period => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    interval,
    timezone,
  });

/**
 * Returns the period of a range and the one before it, which begins and ends at the same local time of its days. They end on a
 * quarter of an hour, so that visits of the page within it share their answers.
 */
export function periodsOf(range: Range, timezone: string, now: number): Periods {
  const { days, daysBefore, interval } = lengths[range];
  const to = Math.ceil(now / quarterMs) * quarterMs;
  const periodOf = periodIn(timezone, interval);
  if (range === '24h') {
    const from = Math.floor(to / hourMs) * hourMs - 23 * hourMs;
    return { current: periodOf(from, to), previous: periodOf(from - dayMs, to - dayMs) };
  }
  const from = startOfDay(now, timezone, days - 1);
  return {
    current: periodOf(from, to),
    previous: periodOf(startOfDay(from, timezone, daysBefore), timeOnDay(to, timezone, daysBefore)),
  };
}

/**
 * Returns the period of calendar days and the one before it: as many days, or as many months if they are whole months. A period
 * that is not over is compared with a part of the one before that is as long.
 */
export function periodsOfDays({ from, to }: Days, timezone: string, now: number): Periods {
  const days = daysIn({ from, to });
  const interval = days <= 2 ? 'hour' : days <= 62 ? 'day' : days <= 200 ? 'week' : 'month';
  const periodOf = periodIn(timezone, interval);
  const start = startOf(from, timezone);
  const end = startOf(shifted(to, { days: 1 }), timezone);
  const sofar = Math.ceil(now / quarterMs) * quarterMs;
  const isOver = end <= sofar || start >= sofar;
  const before = startOf(
    shifted(from, isWholeMonths({ from, to }) ? { months: -monthsIn({ from, to }) } : { days: -days }),
    timezone,
  );
  const endBefore = isOver ? start : Math.min(start, before + sofar - start);
  return { current: periodOf(start, isOver ? end : sofar), previous: periodOf(before, endBefore) };
}

/** Returns the period of the address, and the one that it is compared with; null for none. */
export function periodsOfSearch(
  { range = '30d', days, compare }: ClicksSearch,
  timezone: string,
  now: number,
): { current: Period; previous: Period | null } {
  const ofRange = (): Periods =>
    range === lastMonth
      ? periodsOfDays(calendarDays(lastMonth, timezone, now), timezone, now)
      : periodsOf(range, timezone, now);
  const { current, previous } = days ? periodsOfDays(days, timezone, now) : ofRange();
  if (compare === undefined) return { current, previous };
  if (compare === 'none') return { current, previous: null };
  const first = dayAt(Date.parse(current.from), timezone);
  const before = compare === 'year' ? shifted(first, { months: -12 }) : compare;
  const daysEarlier = daysIn({ from: before, to: first }) - 1;
  const [from, to] = [current.from, current.to].map((time) => timeOnDay(Date.parse(time), timezone, daysEarlier));
  return { current, previous: periodIn(timezone, current.interval)(from!, to!) };
}

/** Returns the calendar days of an interval that begins at a time. */
export function daysOfInterval(start: string, interval: Period['interval'], timezone: string): Days {
  const from = dayAt(Date.parse(start), timezone);
  if (interval === 'month')
    return { from, to: shifted(shifted(`${from.slice(0, 7)}-01`, { months: 1 }), { days: -1 }) };
  if (interval !== 'week') return { from, to: from };
  const sinceMonday = (new Date(from).getUTCDay() + 6) % 7;
  return { from, to: shifted(from, { days: 6 - sinceMonday }) };
}

export const calendarPeriods = ['this-week', 'last-week', 'this-month', 'last-month'] as const;

/** Returns the days of calendar weeks, which begin on Monday, and of months. */
export function calendarDays(period: (typeof calendarPeriods)[number], timezone: string, now: number): Days {
  const today = dayAt(now, timezone);
  if (period.endsWith('month')) {
    const from = shifted(`${today.slice(0, 7)}-01`, { months: period === 'this-month' ? 0 : -1 });
    return { from, to: shifted(shifted(from, { months: 1 }), { days: -1 }) };
  }
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const from = shifted(today, { days: -sinceMonday - (period === 'this-week' ? 0 : 7) });
  return { from, to: shifted(from, { days: 6 }) };
}

function shifted(day: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  const date = new Date(day);
  date.setUTCMonth(date.getUTCMonth() + months, date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const isWholeMonths = ({ from, to }: Days): boolean => from.endsWith('-01') && shifted(to, { days: 1 }).endsWith('-01');

function monthsIn({ from, to }: Days): number {
  const [first, last] = [new Date(from), new Date(to)];
  return 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() - first.getUTCMonth() + 1;
}
