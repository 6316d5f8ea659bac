import type { Pool, PoolClient } from 'pg';
import { bindContext } from '../../shared/bind-context';
import type { ConnectCallback } from './adaptive-pool';
import type { TenantConnectionLimiter } from './tenant-connection-limiter';
import { currentTenant, timeLeft } from './request-context';

/**
 * Makes every use of the pool by a request count for the request's tenant until the connection is released. Uses outside
 * requests do not count, and neither do look-ups that requests share (`BatchLoader`).
 */
export function limitTenantConnections(pool: Pool, shares: TenantConnectionLimiter): void {
  const connect = pool.connect.bind(pool) as (callback?: ConnectCallback) => Promise<PoolClient>;
  const keys = new WeakMap<PoolClient, string>();
  pool.on('release', (_error, client) => {
    const key = keys.get(client);
    if (key === undefined) return;
    keys.delete(client);
    shares.release(key);
  });
  // The form without a callback calls the form with one.
  pool.connect = ((callback?: ConnectCallback) => {
    const tenant = currentTenant();
    if (!callback || !tenant) return connect(callback);
    const { key } = tenant;
    // A share may become free in the context of another request.
    const admitted = bindContext((refusal: Error | null) => {
      if (refusal) return callback(refusal, undefined, () => {});
      void connect((error, client, release) => {
        if (client) keys.set(client, key);
        else shares.release(key);
        callback(error, client, release);
      });
    });
    shares.acquire(tenant, timeLeft(), admitted);
    return undefined;
  }) as Pool['connect'];
}
