import { refused, Rule, wrongType } from './rule';

const form =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Moments that a century may hold: outside of it somebody mistook milliseconds for seconds, or the other way round. */
const years = { first: 2000, last: 2099 };

/**
 * A moment in a query string, in milliseconds since 1970 (UTC): a date-time of RFC 3339 with its offset; seconds may be left
 * out, as ISO 8601 allows.
 */
export const dateTime = new Rule<number>({ type: 'string', format: 'date-time' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  const [, day] = form.exec(value) ?? [];
  // `Date` would make the 3rd of March of the 31st of February.
  if (day === undefined || !isDay(day))
    return refused('invalid_format', 'must be a date-time such as 2026-06-01T00:00:00Z (in a URL, + is written %2B)');
  const moment = Date.parse(value);
  const year = new Date(moment).getUTCFullYear();
  if (year < years.first) return refused('too_small', `must not lie before the year ${years.first}`);
  if (year > years.last) return refused('too_big', `must not lie after the year ${years.last}`);
  return { value: moment };
});

function isDay(text: string): boolean {
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}
