import { type DestinationHost, destinationHosts } from '../../shared/destination-host';
import { isCalendarDay } from '../../shared/date-time';
import { InvalidInput } from '../../shared/problem';
import type { Rule } from '../../shared/rule';
import { text } from '../../shared/text';

/** A command that cannot be run as it was given. The program prints its message and the usage. */
export class UsageError extends Error {}

export type Options = Record<string, string | boolean | undefined>;

export const regionName = text({
  min: 1,
  max: 30,
  pattern: /^[a-z][a-z0-9_]*$/,
  patternSays: 'be a lower-case letter, and then lower-case letters, digits or underscores',
});

export const databaseUrlOption = text({
  min: 1,
  max: 1000,
  pattern: /^postgres(?:ql)?:\/\/\S+$/,
  patternSays: 'be a PostgreSQL connection URL',
});

export const email = text({ min: 3, max: 320, pattern: /^[^\s@]+@[^\s@]+$/, patternSays: 'be an e-mail address' });

/** Reads the option of a name. */
export type OptionReader<T> = (options: Options, name: string) => T;

export const flag: OptionReader<boolean> = (options, name) => options[name] === true;

export const optional =
  <T>(rule: Rule<T>): OptionReader<T | undefined> =>
  (options, name) => {
    const value = options[name];
    if (value === undefined) return undefined;
    try {
      return rule.parse(value);
    } catch (error) {
      throw error instanceof InvalidInput ? new UsageError(`--${name} ${error.message}`) : error;
    }
  };

export const required =
  <T>(rule: Rule<T>): OptionReader<T> =>
  (options, name) =>
    present(optional(rule)(options, name), name);

export function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

/** Reads hosts that are separated by commas. An empty text is an empty list. */
export function hostList(options: Options): DestinationHost[] {
  const text = options['hosts'];
  if (text === undefined) throw new UsageError('--hosts is required');
  const hosts = destinationHosts.tryParse(String(text).split(',').filter(Boolean));
  if (hosts === null) throw new UsageError('--hosts must be hosts such as shop.example.com,*.example.com');
  return hosts;
}

/** Reads an ISO 8601 date-time with a time zone, or a day (UTC), in the future. */
export function expiry(options: Options): Date | null {
  const text = options['expires'];
  if (text === undefined) return null;
  const at = new Date(String(text));
  const iso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
  if (!iso.test(String(text)) || Number.isNaN(at.getTime()) || !isCalendarDay(String(text).slice(0, 10)))
    throw new UsageError('--expires must be an ISO 8601 date-time such as 2027-01-31T00:00:00Z');
  if (at.getUTCFullYear() > 9999) throw new UsageError('--expires must be before the year 10000 in UTC');
  if (at.getTime() <= Date.now()) throw new UsageError('--expires must be in the future');
  return at;
}
