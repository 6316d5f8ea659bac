import { AsyncResource } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (release?: unknown) => void,
) => void;

/**
 * Whoever waits for a connection goes on in the context of its own request. The pool calls it from wherever a connection was made
 * or freed, which may be in the middle of another request: its query would be held to that one's deadline, and stand in its trace.
 */
export function keepContexts(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<PoolClient>;
  pool.connect = ((callback?: Callback) =>
    callback ? connect(AsyncResource.bind(callback)) : connect()) as Pool['connect'];
}
