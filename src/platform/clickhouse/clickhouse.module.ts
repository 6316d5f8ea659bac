import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { ClickHouse } from './clickhouse';
import { ClickHouseSettings } from './clickhouse-settings';
import { openClickHouse } from './open-clickhouse';

/** Provides `ClickHouse`, which is null if PostgreSQL stores clicks. */
@Module({
  imports: [MetricsModule],
  providers: [{ provide: ClickHouse, useFactory: openClickHouse, inject: [ClickHouseSettings, Metrics] }],
  exports: [ClickHouse],
})
export class ClickHouseModule implements OnApplicationShutdown {
  constructor(@Inject(ClickHouse) private readonly clickHouse: ClickHouse | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.clickHouse?.close();
  }
}
