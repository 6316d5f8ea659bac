import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { ClickHouseModule } from '../../platform/clickhouse/clickhouse.module';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { DatabaseSettings } from '../../platform/postgres/database-settings';
import { PoolFactory } from '../../platform/postgres/pool-factory';
import { ClickHouseClickCopy } from './clickhouse-click-copy';
import { ClickSettings } from './clicks.composition';
import { PgClickCopies } from './pg-click-copies';
import { provide } from '../../shared/provide';

/** One connection holds the lock of a copy, and one reads. */
const maxConnections = 2;

/** Provides the copy of clicks to ClickHouse for the admin program; it is null without ClickHouse. */
@Module({
  imports: [MetricsModule, ClickHouseModule],
  providers: [
    // The lock of a copy belongs to a session, which a pooler in transaction mode does not keep.
    provide(AdaptivePool, [DatabaseSettings, Log, Metrics], ({ directUrl }, log, metrics: Metrics | null) =>
      new PoolFactory(directUrl, log, metrics).open('click copies', maxConnections),
    ),
    provide(
      ClickHouseClickCopy,
      [ClickHouse, AdaptivePool, ClickSettings],
      (clickHouse: ClickHouse | null, pool, { retentionMonths }) =>
        clickHouse && new ClickHouseClickCopy(clickHouse, new PgClickCopies(pool), retentionMonths),
    ),
  ],
  exports: [ClickHouseClickCopy],
})
export class ClickCopyModule implements OnApplicationShutdown {
  constructor(@Inject(AdaptivePool) private readonly pool: AdaptivePool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
