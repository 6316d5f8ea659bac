import { describedPattern, refused, Rule, wrongType } from './rule';

const form =
  /^([0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;

/** Returns whether a text of the form `2026-11-22` is a day. `Date` reads the 31st of February as the 3rd of March. */
export function isCalendarDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** An RFC 3339 date-time with seconds and an offset, kept to the millisecond. */
export const dateTime = new Rule<Date>(
  { type: 'string', format: 'date-time', pattern: describedPattern(form) },
  (value) => {
    if (typeof value !== 'string') return wrongType('string');
    const match = form.exec(value);
    if (!match || !isCalendarDay(match[1]!))
      return refused('invalid_format', 'must be an ISO 8601 date-time such as 2027-01-31T00:00:00Z');
    const at = new Date(value);
    const year = at.getUTCFullYear();
    // An offset can move the time out of the years that RFC 3339 can write.
    if (year < 0 || year > 9999) return refused('invalid_format', 'must be between the years 0 and 9999 in UTC');
    return { value: at };
  },
);
