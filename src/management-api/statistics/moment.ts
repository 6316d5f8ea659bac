import { dateTime } from '../../shared/date-time';
import { refused, Rule } from '../../shared/rule';

/** Moments that a century may hold: outside of it somebody mistook milliseconds for seconds, or the other way round. */
const years = { first: 2000, last: 2099 };

/** A moment in a query string, in milliseconds since 1970 (UTC). */
export const moment = new Rule<number>(dateTime.schema, (value) => {
  const reading = dateTime.read(value);
  if ('problems' in reading)
    return {
      problems: reading.problems.map((problem) => ({
        ...problem,
        message: `${problem.message} (in a URL, + is written %2B)`,
      })),
    };
  const year = reading.value.getUTCFullYear();
  if (year < years.first) return refused('too_small', `must not lie before the year ${years.first}`);
  if (year > years.last) return refused('too_big', `must not lie after the year ${years.last}`);
  return { value: reading.value.getTime() };
});
