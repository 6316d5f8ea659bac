import type { PoolConfig } from 'pg';
import { parse } from 'pg-connection-string';
import { ResilientClient } from './resilient-client';
import { timeLimits } from './time-limits';

/** Idle connections that a pool keeps, because it could not reconnect once other clients hold all connections. */
const minConnections = 2;

/** Modes that pg-connection-string takes for `verify-full`, with a warning on stderr. */
const likeVerifyFull = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g;

export function poolOptions(url: string, options: { max: number; name: string }): PoolConfig {
  const { host, port, user, password, database, ssl } = parse(
    /[?&]uselibpqcompat=true(?:&|$)/.test(url) ? url : url.replace(likeVerifyFull, '$1verify-full'),
  );
  return {
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(user && { user }),
    ...(password !== undefined && { password }),
    ...(database && { database }),
    ...(ssl !== undefined && { ssl: ssl as PoolConfig['ssl'] }),
    max: options.max,
    min: minConnections,
    application_name: `signpost ${options.name}`,
    connectionTimeoutMillis: timeLimits.connect,
    statement_timeout: timeLimits.statement,
    lock_timeout: timeLimits.lock,
    idle_in_transaction_session_timeout: timeLimits.idleInTransaction,
    // The planner overestimates searches and statistics. PostgreSQL would compile them for seconds, to run for milliseconds.
    options: '-c jit=off',
    keepAlive: true,
    Client: ResilientClient,
  };
}
