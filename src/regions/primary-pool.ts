import { deliveryTimeoutMs } from '../clicks/recording/pg-click.repository';
import type { Log } from '../platform/observability/log';
import type { Metrics } from '../platform/observability/metrics';
import { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { poolOptions } from '../platform/postgres/connection';
import { UnnamedStatementsClient } from '../platform/postgres/resilient-client';

/** One pool for the contact and deliveries beside it, and one for claims, which anyone can send. */
const names = { contact: 'region', claims: 'region claims' };

const maxConnections = 2;

/** A connection with TLS takes some ten round trips, and the primary may be on another continent. */
const connectTimeoutMs = 5000;

export function openPrimaryPool(
  primaryUrl: string,
  purpose: keyof typeof names,
  log: Log,
  metrics: Metrics | null,
): AdaptivePool {
  const pool = new AdaptivePool({
    ...poolOptions(primaryUrl, { max: maxConnections, name: names[purpose] }),
    connectionTimeoutMillis: connectTimeoutMs,
    ...(purpose === 'contact' && { statement_timeout: deliveryTimeoutMs }),
    // There may be a pooler of any version before the primary, and these statements are few.
    Client: UnnamedStatementsClient,
  });
  pool.on('error', (error) => log.log(`a connection to the primary was lost: ${error.message}`));
  metrics?.watchPool(purpose === 'contact' ? 'primary' : 'primary claims', pool);
  return pool;
}
