import type { Temporal } from 'temporal-polyfill';
import { InvalidInput } from '../../shared/problem';
import { quarterHourMs } from '../recording/click';
import type { TimeZone } from '../../shared/time-zone';

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

const hour = 60 * 60_000;
const day = 24 * hour;

/** In days. They fit a month by hour, and a year with the month before it. */
export const maxWindowDays: Record<Interval, number> = { hour: 35, day: 400, week: 400, month: 400 };

/** Days before the end of a window without `from`. It starts with the interval that contains that moment. */
export const defaultWindow = 30;

/** The requested period and its parts. Moments are milliseconds since 1970 (UTC). */
export interface StatisticsWindow {
  /** Included. */
  from: number;
  /** Excluded. */
  to: number;
  /** Starts of the parts, `from` first. A part ends where the next one starts. */
  starts: number[];
}

/** The units of a period (UTC) that belong to one part: days of a month, or quarters of an hour of a day. */
export interface Piece {
  /** First day, such as `2026-06-01`. */
  period: string;
  /** Number of the part, from 1. */
  part: number;
  /** First and last unit, both included, from 1. */
  first: number;
  last: number;
  /** -1 if the units are subtracted. */
  sign: 1 | -1;
}

/**
 * Splits a window into whole days (UTC) and, for the rest, quarters of an hour. More than half a day is a whole one without its other
 * quarters: days of Europe begin one or two hours before those of UTC.
 */
export function piecesOf({ to, starts }: Pick<StatisticsWindow, 'to' | 'starts'>): {
  days: Piece[];
  quarters: Piece[];
} {
  const days: Piece[] = [];
  const quarters: Piece[] = [];
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? to;
    for (let begin = start, next; begin < end; begin = next) {
      const midnight = begin - (begin % day);
      const isWhole = begin === midnight && begin + day <= end;
      next = isWhole ? Math.min(monthAfter(begin), end - (end % day)) : Math.min(midnight + day, end);
      const isMost = next - begin > day / 2;
      if (isMost) {
        const first = new Date(begin).getUTCDate();
        const last = first + Math.max(1, (next - begin) / day) - 1;
        days.push({ period: `${dateOf(begin).slice(0, 7)}-01`, part: at + 1, first, last, sign: 1 });
      }
      const quartersOf = (from: number, until: number, sign: Piece['sign']) => {
        const [first, last] = [1 + (from - midnight) / quarterHourMs, (until - midnight) / quarterHourMs];
        if (first <= last) quarters.push({ period: dateOf(midnight), part: at + 1, first, last, sign });
      };
      if (!isMost) quartersOf(begin, next, 1);
      else if (!isWhole) {
        quartersOf(midnight, begin, -1);
        quartersOf(next, midnight + day, -1);
      }
    }
  }
  return { days, quarters };
}

const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

function monthAfter(moment: number): number {
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * Moves both ends outwards to a quarter of an hour, because clicks are summed by quarters.
 * @param prefix of the parameters, for messages
 * @throws InvalidInput if the window is empty or too long
 */
export function windowOf(
  asked: {
    from: number | undefined;
    to: number;
    interval: Interval;
    zone: TimeZone;
  },
  prefix = '',
): StatisticsWindow {
  const { interval, zone, to: end } = asked;
  const begin = asked.from ?? startOf(interval, zone, end - defaultWindow * day);
  if (begin >= end) throw refused(prefix, `${prefix}from must be before ${prefix}to`);
  if (end - begin > maxWindowDays[interval] * day)
    throw refused(
      prefix,
      `${prefix}from must be at most ${maxWindowDays[interval]} days before ${prefix}to for intervals of one ${interval}`,
    );
  const from = begin - (begin % quarterHourMs);
  const to = toQuarterHour(end);
  return { from, to, starts: partStarts(interval, zone, from, to) };
}

/** Returns the start of the oldest month (UTC) whose clicks are kept. */
export function keptSince(now: number, retentionMonths: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - retentionMonths);
}

const refused = (prefix: string, message: string) =>
  InvalidInput.because([{ code: 'too_big', path: [`${prefix}from`], message }]);

/** Returns the starts of the parts: `from`, and each start of an interval before `to`. */
function partStarts(interval: Interval, zone: TimeZone, from: number, to: number): number[] {
  return interval === 'hour' ? hourStarts(zone, from, to) : dateStarts(interval, zone, from, to);
}

/**
 * Returns starts of hours on the clocks of the zone, which may show half past at a full hour of UTC. A change of the offset
 * starts an hour.
 */
function hourStarts(zone: TimeZone, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let begin = from; begin < to;) {
    const offset = zone.offsetAt(begin);
    const end = Math.min(to, toQuarterHour(offset.to));
    starts.push(begin);
    for (let next = begin + hour - ((begin + offset.ms) % hour); next < end; next += hour) starts.push(next);
    begin = end;
  }
  return starts;
}

function dateStarts(interval: Exclude<Interval, 'hour'>, zone: TimeZone, from: number, to: number): number[] {
  const starts = [from];
  for (let date = dateAfter(interval, zone.dateAt(from)); ; date = dateAfter(interval, date)) {
    const start = toQuarterHour(zone.startOf(date));
    if (start >= to) return starts;
    if (start > starts.at(-1)!) starts.push(start); // equal if the calendar of the zone skips a day
  }
}

function startOf(interval: Interval, zone: TimeZone, moment: number): number {
  // At least one hour begins in any two hours.
  if (interval === 'hour') return hourStarts(zone, moment - (moment % quarterHourMs) - 2 * hour, moment + 1).at(-1)!;
  return toQuarterHour(zone.startOf(firstDate(interval, zone.dateAt(moment))));
}

/** Returns the first day of the interval. Weeks begin on Monday (ISO 8601). */
function firstDate(interval: Exclude<Interval, 'hour'>, date: Temporal.PlainDate): Temporal.PlainDate {
  if (interval === 'day') return date;
  return interval === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
}

function dateAfter(interval: Exclude<Interval, 'hour'>, date: Temporal.PlainDate): Temporal.PlainDate {
  return firstDate(interval, date).add({ [`${interval}s`]: 1 });
}

/** Rounds up to a quarter of an hour, by which clicks are summed. Clocks of some zones change one minute after midnight. */
const toQuarterHour = (moment: number): number => Math.ceil(moment / quarterHourMs) * quarterHourMs;
