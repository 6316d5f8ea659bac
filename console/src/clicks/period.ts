import type { AnalyticsFilter } from '../api/queries';
import type { Range } from './clicks-search';
import { startOfDay, timeOnDay } from './time-zones';

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

type Period = Required<Pick<AnalyticsFilter, 'from' | 'to' | 'interval' | 'timezone'>>;

/**
 * Returns the period of a range and the one before it, which begins and ends at the same local time of its days. They end on a
 * quarter of an hour, so that visits of the page within it share their answers.
 */
export function periodsOf(range: Range, timezone: string, now: number): { current: Period; previous: Period } {
  const { days, daysBefore, interval } = lengths[range];
  const to = Math.ceil(now / quarterMs) * quarterMs;
  const periodOf = (start: number, end: number): Period => ({
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
    interval,
    timezone,
  });
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
