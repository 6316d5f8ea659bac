import type { AnalyticsFilter } from '../api/queries';
import type { Range } from '../pages/overview/overview-search';
import { startOfDay } from './time-zones';

const quarterMs = 15 * 60_000;
const hourMs = 4 * quarterMs;
const dayMs = 24 * hourMs;

const lengths: Record<Range, { days: number; interval: NonNullable<AnalyticsFilter['interval']> }> = {
  '24h': { days: 1, interval: 'hour' },
  '7d': { days: 7, interval: 'day' },
  '30d': { days: 30, interval: 'day' },
  '90d': { days: 90, interval: 'week' },
  '12m': { days: 365, interval: 'month' },
};

type Period = Required<Pick<AnalyticsFilter, 'from' | 'to' | 'interval' | 'timezone'>>;

/**
 * Returns the period of a range and the one before it, which is as long. They end on a quarter of an hour, so that visits of the
 * page within it share their answers.
 */
export function periodsOf(range: Range, timezone: string, now: number): { current: Period; previous: Period } {
  const { days, interval } = lengths[range];
  const to = Math.ceil(now / quarterMs) * quarterMs;
  const from = range === '24h' ? Math.floor(to / hourMs) * hourMs - 23 * hourMs : startOfDay(now, timezone, days - 1);
  const shift = range === '24h' ? dayMs : days * dayMs;
  const periodOf = (start: number, end: number): Period => ({
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
    interval,
    timezone,
  });
  return { current: periodOf(from, to), previous: periodOf(from - shift, to - shift) };
}
