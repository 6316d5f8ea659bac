import { dayAt, startOf } from './time-zones';

/** When a new share ends: on the next Friday, after so many days, or on an own day. */
export const shareEnds = ['friday', '7', '30', '90', 'own'] as const;
export type ShareEnd = (typeof shareEnds)[number];

const dayMs = 86_400_000;
const friday = 5;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Returns the last day of a share. On a Friday, it is that of the next week. */
export function lastDayOf(end: Exclude<ShareEnd, 'own'>, timezone: string, now: number): string {
  const today = dayAt(now, timezone);
  const days = end === 'friday' ? (friday - new Date(today).getUTCDay() + 7) % 7 || 7 : Number(end);
  return dayAfter(today, days);
}

/** Returns the moment at which the day ends; null if the text is not a day. */
export function endOfDay(day: string, timezone: string): string | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) return null;
  return new Date(startOf(dayAfter(day, 1), timezone)).toISOString();
}

/** Returns the moment to show as the end. At midnight it is the minute before, because people name the last day of a share. */
export function shownEnd(end: string, timezone: string): Date {
  const moment = Date.parse(end);
  const isMidnight = startOf(dayAt(moment, timezone), timezone) === moment;
  return new Date(isMidnight ? moment - 60_000 : moment);
}
