import type { Log } from '../../platform/observability/log';
import type { Metrics } from '../../platform/observability/metrics';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { poolOptions } from '../../platform/postgres/connection';

/** One connection for the contact of the region, and one for claims of tokens of other regions. */
const maxConnections = 2;

/** A connection with TLS takes some ten round trips, and the primary may be on another continent. */
const connectTimeoutMs = 5000;

/** Opens the connections of a region to its primary. */
export function openPrimaryPool(primaryUrl: string, log: Log, metrics: Metrics | null): AdaptivePool {
  const pool = new AdaptivePool({
    ...poolOptions(primaryUrl, { max: maxConnections, name: 'region' }),
    connectionTimeoutMillis: connectTimeoutMs,
  });
  pool.on('error', (error) => log.log(`a connection to the primary was lost: ${error.message}`));
  metrics?.watchPool('primary', pool);
  return pool;
}
