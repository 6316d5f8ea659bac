import type { PoolConfig } from 'pg';
import { parse } from 'pg-connection-string';
import { ResilientClient } from './resilient-client';
import { timeLimits } from './time-limits';

/**
 * Connections that a pool keeps, however long nothing is asked. When others take all that the server has, a pool without any
 * could answer nothing.
 */
const kept = 2;

/** What every pool of the process is made with. Times in milliseconds. */
export function poolOptions(url: string, options: { max: number; name: string }): PoolConfig {
  const { host, port, user, password, database, ssl } = parse(url);
  return {
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(user && { user }),
    ...(password !== undefined && { password }),
    ...(database && { database }),
    ...(ssl !== undefined && { ssl: ssl as PoolConfig['ssl'] }),
    max: options.max,
    min: kept,
    application_name: `signpost ${options.name}`,
    connectionTimeoutMillis: timeLimits.connect,
    statement_timeout: timeLimits.statement,
    lock_timeout: timeLimits.lock,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    Client: ResilientClient,
  };
}
