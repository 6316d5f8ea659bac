import { longerPeriods } from '../recording/clickhouse-schema';
import type { StatisticsCriteria } from './statistics';

/** The periods (UTC) that a statement sums, and moments in milliseconds since 1970. */
export interface Unit {
  /** The start of the period, in seconds since 1970. */
  start: string;
  day: string;
  within(from: number, to: number): string;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

export const days: Unit = {
  start: `toUInt32(${longerPeriods.by_day}) * 86400`,
  day: longerPeriods.by_day,
  within: (from, to) =>
    `${longerPeriods.by_day} >= toDate(${from / dayMs}) AND ${longerPeriods.by_day} < toDate(${to / dayMs})`,
};

const shorter = (period: string): Unit => ({
  start: `toUnixTimestamp(${period})`,
  day: `toDate(${period})`,
  within: (from, to) =>
    `${period} >= toDateTime(${from / 1000}, 'UTC') AND ${period} < toDateTime(${to / 1000}, 'UTC')`,
});
const hours = shorter(longerPeriods.by_hour);
export const quarters = shorter('quarter');

/**
 * Splits a window into the whole days or hours (UTC) in which no part begins, and quarters before and after them. A window that ends
 * now splits its last one, and time zones split days. Parts that begin at half past an hour have quarters only.
 */
export function segmentsOf({
  from,
  to,
  starts,
}: StatisticsCriteria['window']): { unit: Unit; from: number; to: number }[] {
  for (const [unit, length] of [[days, dayMs] as const, [hours, hourMs] as const]) {
    const [first, end] = [Math.ceil(from / length) * length, Math.floor(to / length) * length];
    if (end <= first || starts.some((start) => start % length !== 0 && start >= first && start < end)) continue;
    return [
      ...(from < first ? [{ unit: quarters, from, to: first }] : []),
      { unit, from: first, to: end },
      ...(end < to ? [{ unit: quarters, from: end, to }] : []),
    ];
  }
  return [{ unit: quarters, from, to }];
}

/** Returns the start of the month (UTC) that many months after that of the moment. */
export function monthStart(moment: number, monthsAfter: number): number {
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsAfter);
}
