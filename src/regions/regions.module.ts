import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ParallelShutdown } from '../api-kit/kit/parallel-shutdown';
import { Metrics } from '../platform/observability/metrics';
import { MetricsModule } from '../platform/observability/metrics.module';
import { DatabaseModule } from '../platform/postgres/database.module';
import { RegionSlots } from './region-slots';

/** Watches the regions of a primary. Without metrics it does nothing. */
@Module({
  imports: [DatabaseModule, MetricsModule],
  providers: [
    { provide: RegionSlots, useFactory: (database: DataSource) => new RegionSlots(database), inject: [DataSource] },
  ],
})
export class RegionsModule extends ParallelShutdown implements OnModuleInit {
  constructor(
    private readonly slots: RegionSlots,
    @Inject(Metrics) private readonly metrics: Metrics | null,
  ) {
    super();
    metrics?.watchRegionSlots(slots);
  }

  onModuleInit(): void {
    if (this.metrics) this.slots.start();
  }

  protected stop(): Promise<void> {
    return this.slots.stop();
  }
}
