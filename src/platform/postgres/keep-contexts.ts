import type { Pool, PoolClient } from 'pg';
import { bindContext } from '../../shared/bind-context';

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
  pool.connect = ((callback?: Callback) => (callback ? connect(bindContext(callback)) : connect())) as Pool['connect'];
}
