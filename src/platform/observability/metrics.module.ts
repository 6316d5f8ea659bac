import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from './metrics';
import { MetricsServer } from './metrics-server';
import { provide } from '../../shared/provide';

export class MetricsSettings {
  /** Undefined if metrics are off. */
  readonly port: number | undefined;
  readonly host: string | undefined;
}

/**
 * Provides `Metrics` and `MetricsServer`, both null if metrics are off. Modules that have something to measure import it, so
 * that Nest stops it after all of them.
 */
@Module({
  providers: [
    provide(Metrics, [MetricsSettings], ({ port }) => (port === undefined ? null : new Metrics())),
    provide(MetricsServer, [Metrics], (metrics: Metrics | null) => metrics && new MetricsServer(metrics.registry)),
  ],
  exports: [Metrics, MetricsServer],
})
export class MetricsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(MetricsServer) private readonly server: MetricsServer | null,
    private readonly settings: MetricsSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { port, host } = this.settings;
    if (port !== undefined) await this.server?.listen(port, host);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server?.close();
  }
}
