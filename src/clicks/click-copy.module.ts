import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ClickHouse } from '../platform/clickhouse/clickhouse';
import { ClickHouseModule } from '../platform/clickhouse/clickhouse.module';
import { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { PoolFactory } from '../platform/postgres/pool-factory';
import { PoolModule } from '../platform/postgres/pool.module';
import { ClickHouseClickCopy } from './clickhouse-click-copy';
import { ClickSettings } from './clicks.composition';
import { PgClickCopies } from './pg-click-copies';

/** One connection holds the lock of a copy, and one reads. */
const maxConnections = 2;

/** Provides the copy of clicks to ClickHouse for the admin program; it is null without ClickHouse. */
@Module({
  imports: [PoolModule, ClickHouseModule],
  providers: [
    {
      provide: AdaptivePool,
      useFactory: (pools: PoolFactory) => pools.open('click copies', maxConnections),
      inject: [PoolFactory],
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
