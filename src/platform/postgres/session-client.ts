import { Client } from 'pg';

/** PgBouncer of any version passes these parameters on, also in transaction mode. */
const parameters = { DateStyle: 'ISO, MDY', TimeZone: 'UTC', standard_conforming_strings: 'on' };

/** PgBouncer ignores these, so that a role behind it must not change them (docs/operating/scale.md). */
const options = [
  'IntervalStyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  'default_transaction_isolation=read\\ committed',
  'default_transaction_deferrable=off',
  'idle_session_timeout=0',
  'array_nulls=on',
  'quote_all_identifiers=off',
  'row_security=on',
  'transform_null_equals=off',
];

/**
 * A pg client whose session has the settings that the service relies on, whatever a database or a role sets. Otherwise a time in
 * another style could not be read, after its transaction has committed.
 *
 * The search path, the default for read-only transactions and the resources of queries remain the operator's.
 */
export class SessionClient extends Client {
  /** Overrides a method that the types of pg leave out. */
  protected getStartupConf(): Record<string, string> {
    const own = (
      Client.prototype as unknown as { getStartupConf(this: Client): Record<string, string> }
    ).getStartupConf.call(this);
    const settings = options.map((option) => `-c ${option}`).join(' ');
    return { ...own, ...parameters, options: `${settings} ${own['options'] ?? ''}`.trim() };
  }
}
