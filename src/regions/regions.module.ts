import { Module } from '@nestjs/common';
import { MetricsModule } from '../platform/observability/metrics.module';
import { DatabaseModule } from '../platform/postgres/database.module';
import { RegionSlots } from './region-slots';

/** Watches the regions of a primary. Without metrics it does nothing. */
@Module({ imports: [DatabaseModule, MetricsModule], providers: [RegionSlots] })
export class RegionsModule {}
