import { AsyncResource } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (release?: unknown) => void,
) => void;

/**
 * Binds callbacks of the pool to the context of their request. The pool calls them in the context that freed a connection. A
 * query would otherwise have the deadline and the trace of another request.
 */
export function keepContexts(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<PoolClient>;
  pool.connect = ((callback?: Callback) =>
    callback ? connect(inThisContext(callback)) : connect()) as Pool['connect'];
}

/** Does what `AsyncResource.bind` does, which also defines a property of every function and takes 25 times as long. */
function inThisContext(callback: Callback): Callback {
  const context = new AsyncResource('pool connection');
  return (error, client, release) => context.runInAsyncScope(callback, undefined, error, client, release);
}
