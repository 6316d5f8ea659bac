import { Temporal } from 'temporal-polyfill';

const form =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/i;

/** The forms of times, for messages. */
export const acceptedTimes = 'a time such as 2024-05-01T12:00:00Z, 2024-05-01 12:00:00, 2024-05-01 or Unix time';

/** Returns whether a date such as `03/04/2024` begins with the day in some countries, and with the month in others. */
export const isAmbiguousDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)/.test(value);

/**
 * Reads a time: ISO 8601, `2024-05-01 12:00:00` in the zone, a day, or Unix time in seconds or milliseconds. Returns null for
 * other forms, because `01/02/2024` has two meanings.
 * @param zone a name of the IANA database, for times without an offset
 */
export function readTime(value: unknown, zone: string): Date | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
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

/** Returns the offset as Temporal names it; null if the text has none. */
function zoneOf(offset: string | undefined): string | null {
  if (offset === undefined) return null;
  if (/^[a-z]/i.test(offset)) return 'UTC';
  const digits = offset.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`;
}
