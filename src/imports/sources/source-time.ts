import { Temporal } from 'temporal-polyfill';

const form =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/i;

export const acceptedTimes = 'a time such as 2024-05-01T12:00:00Z, 2024-05-01 12:00:00, 2024-05-01 or Unix time';

/** Orders of day and month in dates that do not begin with the year. `iso` accepts no such date. */
export const dateFormats = ['iso', 'day_first', 'month_first'] as const;
export type DateFormat = (typeof dateFormats)[number];

/** Matches dates such as `03/04/2024`, `3.4.24` and `03-04-2024, 1:05 PM`. */
const dayAndMonth =
  /^(?<first>\d{1,2})(?<sign>[/.-])(?<second>\d{1,2})\k<sign>(?<year>\d{4}|\d{2})(?!\d)(?:,?\s+(?<hour>\d{1,2})(?=:)(?<minutes>[:\d]+)(?:\s*(?<half>[ap])\.?m\b\.?)?)?(?<rest>.*)$/i;

/** Returns whether a date such as `03/04/2024` begins with the day in some countries, and with the month in others. */
export const isAmbiguousDate = (value: unknown): boolean => typeof value === 'string' && dayAndMonth.test(value.trim());

/**
 * Reads a time: ISO 8601, `2024-05-01 12:00:00` in the zone, a day, or Unix time in seconds or milliseconds. Returns null for
 * other forms. `01/02/2024` has two meanings, so it needs a format.
 * @param zone a name of the IANA database, for times without an offset
 */
export function readTime(value: unknown, zone: string, format: DateFormat = 'iso'): Date | null {
  const input = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const text = format === 'iso' ? input : yearFirst(input, format);
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  const [, day, time = '00:00', seconds = ':00', fraction = '0', offset] = form.exec(text) ?? [];
  if (day === undefined) return null;
  try {
    const local = Temporal.PlainDateTime.from(`${day}T${time}${seconds}.${fraction}`, { overflow: 'reject' });
    return new Date(local.toZonedDateTime(zoneOf(offset) ?? zone).epochMilliseconds);
  } catch {
    return null; // RangeError: no such day, time or zone
  }
}

/** Writes a date that begins with day and month as ISO 8601. Returns other texts unchanged. */
function yearFirst(text: string, format: DateFormat): string {
  const groups = dayAndMonth.exec(text)?.groups;
  if (!groups) return text;
  const { first, second, year, hour, minutes, half, rest } = groups as Record<string, string | undefined>;
  const [day, month] = format === 'day_first' ? [first, second] : [second, first];
  const twoDigits = (part: string | number | undefined) => String(part).padStart(2, '0');
  const date = `${year!.padStart(4, '20')}-${twoDigits(month)}-${twoDigits(day)}`;
  return hour === undefined ? date + rest : `${date} ${twoDigits(hourOf(Number(hour), half))}${minutes}${rest}`;
}

/** Returns the hour of the day. An hour with “AM” or “PM” is 1 to 12; others have no such time. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Returns the offset as Temporal names it; null if the text has none. */
function zoneOf(offset: string | undefined): string | null {
  if (offset === undefined) return null;
  if (/^[a-z]/i.test(offset)) return 'UTC';
  const digits = offset.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`;
}
