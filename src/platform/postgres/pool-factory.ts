import type { Log } from '../observability/log';
import type { Metrics } from '../observability/metrics';
import { AdaptivePool } from './adaptive-pool';
import { poolOptions } from './connection';

/** Opens connection pools. The module that opens a pool closes it. */
export class PoolFactory {
  constructor(
    private readonly databaseUrl: string,
    private readonly log: Log,
    private readonly metrics: Metrics | null,
  ) {}

  /** @param name the pool's name in metrics and, after `signpost`, in `pg_stat_activity.application_name` */
  open(name: string, maxConnections: number): AdaptivePool {
    const pool = new AdaptivePool(poolOptions(this.databaseUrl, { max: maxConnections, name }));
    pool.on('error', (error) => this.log.warn(`an idle database connection was lost: ${error.message}`));
    this.metrics?.watchPool(name, pool);
    return pool;
  }
}
