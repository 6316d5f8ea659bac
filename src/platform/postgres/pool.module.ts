import { Module } from '@nestjs/common';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { DatabaseSettings } from './database-settings';
import { PoolFactory } from './pool-factory';

@Module({
  imports: [MetricsModule],
  providers: [
    {
      provide: PoolFactory,
      useFactory: ({ url }: DatabaseSettings, log: Log, metrics: Metrics | null) => new PoolFactory(url, log, metrics),
      inject: [DatabaseSettings, Log, Metrics],
    },
  ],
  exports: [PoolFactory],
})
export class PoolModule {}
