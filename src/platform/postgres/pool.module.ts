import { Module } from '@nestjs/common';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { DatabaseSettings } from './database-settings';
import { PoolFactory } from './pool-factory';
import { provide } from '../../shared/provide';

@Module({
  imports: [MetricsModule],
  providers: [
    provide(
      PoolFactory,
      [DatabaseSettings, Log, Metrics],
      ({ url }, log, metrics: Metrics | null) => new PoolFactory(url, log, metrics),
    ),
  ],
  exports: [PoolFactory],
})
export class PoolModule {}
