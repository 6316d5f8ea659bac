import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { ChangeListener } from './change-listener';
import { DatabaseSettings } from './database-settings';

/** Provides the listener. Modules that cache rows subscribe in their constructors, before it connects. */
@Module({
  imports: [MetricsModule],
  providers: [
    {
      provide: ChangeListener,
      useFactory: ({ directUrl }: DatabaseSettings, log: Log, metrics: Metrics | null) => {
        const changeListener = new ChangeListener(directUrl, (message) => log.warn(message));
        metrics?.watchChangeListener(changeListener);
        return changeListener;
      },
      inject: [DatabaseSettings, Log, Metrics],
    },
  ],
  exports: [ChangeListener],
})
export class ChangeListenerModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly changeListener: ChangeListener) {}

  async onModuleInit(): Promise<void> {
    await this.changeListener.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.changeListener.stop();
  }
}
