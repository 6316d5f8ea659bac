import { Pool, type PoolConfig } from 'pg';

/**
 * Opens a pool whose idle connections may break. `end` does not wait for the server, so that the end of a test database terminates
 * connections that the server still has. The pool would report each as an error that nobody handles.
 */
export function aPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => {});
  return pool;
}
