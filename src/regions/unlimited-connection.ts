import type { PoolConfig } from 'pg';
import { poolOptions } from '../platform/postgres/connection';
import { SessionClient } from '../platform/postgres/session-client';

const connectTimeoutMs = 10_000;

/** Roles may have limits, as docs/operating/scale.md recommends with poolers. */
const withoutLimits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  .map((limit) => `-c ${limit}=0`)
  .join(' ');

/** Returns the options of a connection of commands that may take hours, which has no time limits on either side. */
export const unlimitedOptions = (url: string, name: string): PoolConfig => ({
  ...poolOptions(url, { max: 1, name }),
  statement_timeout: undefined,
  lock_timeout: undefined,
  idle_in_transaction_session_timeout: undefined,
  options: withoutLimits,
  connectionTimeoutMillis: connectTimeoutMs,
  // The client of requests ends each query after some seconds.
  Client: SessionClient,
});
