import { type BeforeApplicationShutdown, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { ClickHouseModule } from '../../platform/clickhouse/clickhouse.module';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { PoolFactory } from '../../platform/postgres/pool-factory';
import { PoolModule } from '../../platform/postgres/pool.module';
import { ClickRecorder } from './click-recorder';
import { ClickUpkeep } from './click-upkeep';
import { PgClickRepository } from './pg-click.repository';
import { Clicks, type ClicksDependencies, ClickSettings } from './clicks.composition';
import { provide, provideNamed } from '../../shared/provide';

/** Provides `Clicks` to Nest, with `ClickRecorder`, which is null if visits are not recorded, and `ClickUpkeep`. */
@Module({
  imports: [PoolModule, MetricsModule, ClickHouseModule],
  providers: [
    provideNamed<Omit<ClicksDependencies, 'isRegion'>>(Clicks, {
      settings: ClickSettings,
      pools: PoolFactory,
      log: Log,
      metrics: Metrics,
      clickHouse: ClickHouse,
    }),
    provide(ClickRecorder, [Clicks], ({ recorder }) => recorder),
    provide(PgClickRepository, [Clicks], ({ repository }) => repository),
    provide(ClickUpkeep, [Clicks], ({ upkeep }) => upkeep),
  ],
  exports: [ClickRecorder],
})
export class ClicksModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(private readonly clicks: Clicks) {}

  async onModuleInit(): Promise<void> {
    await this.clicks.start();
  }

  beforeApplicationShutdown(): void {
    this.clicks.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.clicks.close();
  }
}
