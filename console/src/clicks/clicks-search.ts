import { type Filters, readFilters, type Split, splits } from './filters';
import { isTimeZone } from './time-zones';

export const ranges = ['24h', '7d', '30d', '90d', '12m'] as const;
export type Range = (typeof ranges)[number];

/** The calendar month before this one. */
export const lastMonth = 'last-month' as const;

/** Calendar days such as `2026-06-01`, both included. */
export interface Days {
  from: string;
  to: string;
}

/** The service counts this many at most. */
export const maxDays = 400;

/** The state of a page with clicks, which its address contains. */
export interface ClicksSearch {
  range?: Range | typeof lastMonth;
  /** Instead of a range. */
  days?: Days;
  timezone?: string;
  bots?: true;
  filters?: Filters;
  /** The property whose values are lines of the chart. */
  split?: Split;
  /** The period before is compared if it is absent. A day is the first one of any other period. */
  compare?: 'year' | 'none' | Day;
}

/** A calendar day such as `2026-06-01`. */
export type Day = `${number}-${number}-${number}`;

/** Reads the address. Values that it does not understand are left out. */
export function clicksSearch(raw: Record<string, unknown>): ClicksSearch {
  const range = [...ranges, lastMonth].find((one) => one === raw['range']);
  const zone = raw['timezone'];
  const timezone = typeof zone === 'string' && isTimeZone(zone) ? zone : undefined;
  const days = readDays(raw['days']);
  const filters = readFilters(raw['filters']);
  const split = splits.find((one) => one === raw['split']);
  const compare = raw['compare'];
  return {
    ...(days ? { days } : range && { range }),
    ...(timezone && { timezone }),
    ...(raw['bots'] === true && { bots: true }),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(split && { split }),
    ...((compare === 'year' || compare === 'none' || isDay(compare)) && { compare }),
  };
}

const dayMs = 24 * 60 * 60_000;

export const daysIn = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** Returns null if the value has no period of days that the service counts. */
export function readDays(value: unknown): Days | null {
  const { from, to } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<'from' | 'to', unknown>
  >;
  if (!isDay(from) || !isDay(to)) return null;
  const days = { from, to };
  return daysIn(days) >= 1 && daysIn(days) <= maxDays ? days : null;
}

export const isDay = (value: unknown): value is Day =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  // `2026-02-30` is read as a day of March.
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);
