import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { ChangeListener } from './change-listener';
import { DatabaseSettings } from '../postgres/database-settings';
import { provide } from '../../shared/provide';

/** Provides the listener. Modules that cache rows subscribe in their constructors, before it connects. */
@Module({
  imports: [MetricsModule],
  providers: [
    provide(
      ChangeListener,
      [DatabaseSettings, Log, Metrics, Clock],
      ({ directUrl }, log, metrics: Metrics | null, clock) => {
        const changeListener = new ChangeListener(directUrl, (message) => log.warn(message), clock);
        metrics?.watch({ signpost_change_listener_up: () => Number(changeListener.current) });
        return changeListener;
      },
    ),
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
