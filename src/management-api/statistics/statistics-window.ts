import { InvalidInput } from '../../shared/problem';
import { quarterHourMs } from '../../clicks/click';
import type { TimeZone } from './time-zone';

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

const hour = 60 * 60_000;
const day = 24 * hour;

/** Days that may be asked for at once. A month by hour fits, and a year beside the month that it is compared with. */
export const maxWindow: Record<Interval, number> = { hour: 35, day: 400, week: 400, month: 400 };

/** Days before its end that a window has, where nobody says from when; it begins with the interval that holds that moment. */
export const defaultWindow = 30;

/** What is counted, and how it is divided. Moments are milliseconds since 1970 (UTC). */
export interface StatisticsWindow {
  /** Included. */
  from: number;
  /** Excluded. */
  to: number;
  /** Where the parts begin, `from` first; each ends where the next one begins, without a gap. */
  starts: number[];
}

/** What of a period (UTC) belongs to one part of a window: units of a month are its days, and units of a day its quarters of an hour. */
export interface Piece {
  /** The period's first day, as in `2026-06-01`. */
  period: string;
  /** The part's number, from 1. */
  part: number;
  /** Units, both included, from 1. */
  first: number;
  last: number;
}

/** A window in pieces: whole days (UTC) as such, and all else by quarters of an hour. */
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
      if (isWhole) {
        const first = new Date(begin).getUTCDate();
        const last = first + (next - begin) / day - 1;
        days.push({ period: `${dateOf(begin).slice(0, 7)}-01`, part: at + 1, first, last });
      } else {
        const [first, last] = [1 + (begin - midnight) / quarterHourMs, (next - midnight) / quarterHourMs];
        quarters.push({ period: dateOf(midnight), part: at + 1, first, last });
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
 * Clicks are summed up by quarters of an hour: a window that begins or ends within one takes it in.
 *
 * @throws InvalidInput when it ends before it begins, or is too long
 */
export function windowOf(
  asked: { from: number | undefined; to: number | undefined; interval: Interval; zone: TimeZone },
  now: number,
): StatisticsWindow {
  const { interval, zone } = asked;
  const end = asked.to ?? now;
  const begin = asked.from ?? startOf(interval, zone, end - defaultWindow * day);
  if (begin >= end) throw refused('from must lie before to');
  if (end - begin > maxWindow[interval] * day)
    throw refused(`from must lie at most ${maxWindow[interval]} days before to for intervals of one ${interval}`);
  const from = begin - (begin % quarterHourMs);
  const to = Math.ceil(end / quarterHourMs) * quarterHourMs;
  const starts = [from];
  for (let next = nextStart(interval, zone, from); next < to; next = nextStart(interval, zone, next)) starts.push(next);
  return { from, to, starts };
}

const refused = (message: string) => InvalidInput.because([{ code: 'too_big', path: ['from'], message }]);

/** When the interval began that the moment lies in. */
function startOf(interval: Interval, zone: TimeZone, moment: number): number {
  return interval === 'hour' ? startOfHour(zone, moment) : startOfDay(zone, firstDay(interval, zone.dayAt(moment)));
}

/** When the interval ends that the moment lies in. */
function nextStart(interval: Interval, zone: TimeZone, moment: number): number {
  return interval === 'hour' ? endOfHour(zone, moment) : startOfDay(zone, dayAfter(interval, zone.dayAt(moment)));
}

/** The first day of the week, by ISO 8601 a Monday, or of the month. Days are numbered from 1970-01-01, a Thursday, as 0. */
function firstDay(interval: Exclude<Interval, 'hour'>, dayNumber: number): number {
  if (interval === 'day') return dayNumber;
  if (interval === 'week') return dayNumber - ((dayNumber + 3) % 7);
  return dayNumber + 1 - new Date(dayNumber * day).getUTCDate();
}

function dayAfter(interval: Exclude<Interval, 'hour'>, dayNumber: number): number {
  const first = firstDay(interval, dayNumber);
  if (interval !== 'month') return first + (interval === 'week' ? 7 : 1);
  return monthAfter(first * day) / day;
}

/**
 * The first moment that the zone's calendar shows the day, or one after it. That is not always midnight: where clocks are put
 * forward at midnight, the day begins at one.
 */
function startOfDay(zone: TimeZone, dayNumber: number): number {
  const midnight = dayNumber * day;
  const guess = midnight - zone.offsetAt(midnight - zone.offsetAt(midnight));
  const begins = (moment: number) => zone.dayAt(moment) >= dayNumber && zone.dayAt(moment - quarterHourMs) < dayNumber;
  if (begins(guess)) return guess;
  // No clock is ahead of UTC by more than 14 hours, or behind by more than 12.
  let [before, after] = [midnight - 15 * hour, midnight + 13 * hour];
  while (after - before > quarterHourMs) {
    const middle = before + Math.round((after - before) / 2 / quarterHourMs) * quarterHourMs;
    if (zone.dayAt(middle) >= dayNumber) after = middle;
    else before = middle;
  }
  return after;
}

/** Hours are those of the zone's clocks, which may begin at half past in UTC. One in which clocks are put back is two. */
function startOfHour(zone: TimeZone, moment: number): number {
  const offset = zone.offsetAt(moment);
  const start = moment - ((moment + offset) % hour);
  if (zone.offsetAt(start) === offset) return start;
  return earliest(start, (shifted) => zone.offsetAt(shifted) === offset);
}

function endOfHour(zone: TimeZone, moment: number): number {
  const offset = zone.offsetAt(moment);
  const end = moment - ((moment + offset) % hour) + hour;
  if (zone.offsetAt(end - quarterHourMs) === offset) return end;
  return earliest(moment, (shifted) => zone.offsetAt(shifted) !== offset);
}

/** The first quarter of an hour after the moment for which it holds. */
function earliest(moment: number, holds: (moment: number) => boolean): number {
  let next = moment - (moment % quarterHourMs) + quarterHourMs;
  while (!holds(next)) next += quarterHourMs;
  return next;
}
