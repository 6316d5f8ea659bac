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

/** One connection holds the lock of a copy, and one reads. */
const maxConnections = 2;

/** Provides the copy of clicks to ClickHouse for the admin program; it is null without ClickHouse. */
@Module({
  imports: [MetricsModule, ClickHouseModule],
  providers: [
    {
      provide: AdaptivePool,
      // The lock of a copy belongs to a session, which a pooler in transaction mode does not keep.
      useFactory: ({ directUrl }: DatabaseSettings, log: Log, metrics: Metrics | null) =>
        new PoolFactory(directUrl, log, metrics).open('click copies', maxConnections),
      inject: [DatabaseSettings, Log, Metrics],
    },
    {
      provide: ClickHouseClickCopy,
      useFactory: (clickHouse: ClickHouse | null, pool: AdaptivePool, { retentionMonths }: ClickSettings) =>
        clickHouse && new ClickHouseClickCopy(clickHouse, new PgClickCopies(pool), retentionMonths),
      inject: [ClickHouse, AdaptivePool, ClickSettings],
    },
  ],
  exports: [ClickHouseClickCopy],
})
export class ClickCopyModule implements OnApplicationShutdown {
  constructor(@Inject(AdaptivePool) private readonly pool: AdaptivePool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
