import { dateTime } from './date-time';
import { refused, Rule } from './rule';

/** A client that confuses seconds with milliseconds sends a year outside this range. */
const years = { first: 2000, last: 2099 };

/** Reads a date-time in a query string as milliseconds since 1970 (UTC). */
export const moment = new Rule<number>(dateTime.schema, (value) => {
  const reading = dateTime.safeParse(value);
  if ('problems' in reading)
    return {
      problems: reading.problems.map((problem) => ({
        ...problem,
        message: `${problem.message} (in a URL, + is written %2B)`,
      })),
    };
  const year = reading.value.getUTCFullYear();
  if (year < years.first) return refused('too_small', `must be in the year ${years.first} or later`);
  if (year > years.last) return refused('too_big', `must be in the year ${years.last} or earlier`);
  return { value: reading.value.getTime() };
});
