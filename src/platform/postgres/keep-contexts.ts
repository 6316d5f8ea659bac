import type { Pool, PoolClient } from 'pg';
import { bindContext } from '../../shared/bind-context';
import type { ConnectCallback } from './adaptive-pool';

/**
 * Binds callbacks of the pool to the context of their request. The pool calls them in the context that freed a connection. A
 * query would otherwise have the deadline and the trace of another request.
 */
export function keepContexts(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: ConnectCallback) => Promise<PoolClient>;
  pool.connect = ((callback?: ConnectCallback) =>
    callback ? connect(bindContext(callback)) : connect()) as Pool['connect'];
}
