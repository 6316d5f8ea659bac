import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../platform/observability/metrics';
import { MetricsModule } from '../platform/observability/metrics.module';
import { DatabaseModule } from '../platform/postgres/database.module';
import { RegionSlots } from './region-slots';
import { provideClass } from '../shared/provide';

/** Watches the regions of a primary. Without metrics it does nothing. */
@Module({
  imports: [DatabaseModule, MetricsModule],
  providers: [provideClass(RegionSlots, [DataSource])],
})
export class RegionsModule implements OnModuleInit {
  constructor(
    private readonly slots: RegionSlots,
    @Inject(Metrics) private readonly metrics: Metrics | null,
  ) {
    metrics?.watch({
      signpost_region_connected: () => slots.slots.map(({ name, connected }) => [{ region: name }, Number(connected)]),
      signpost_region_retained_wal_bytes: () =>
        slots.slots.flatMap(({ name, retainedBytes }) =>
          retainedBytes === null ? [] : [[{ region: name }, retainedBytes] as const],
        ),
    });
  }

  onModuleInit(): void {
    if (this.metrics) this.slots.start();
  }
}
