import { type BeforeApplicationShutdown, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { ClickRecorder } from '../clicks/recording/click-recorder';
import { ClicksModule } from '../clicks/recording/clicks.module';
import { BrowserEscapes } from '../link-routing/escapes/escape-choice';
import { LinkHosts } from '../link-paths/paths/link-hosts';
import { Log } from '../platform/observability/log';
import { Metrics } from '../platform/observability/metrics';
import { MetricsModule } from '../platform/observability/metrics.module';
import { ChangeListener } from '../platform/change-notifications/change-listener';
import { ChangeListenerModule } from '../platform/change-notifications/change-listener.module';
import { DatabaseSettings } from '../platform/postgres/database-settings';
import { PictureStoreSettings } from '../links/pictures/picture-store';
import { PoolFactory } from '../platform/postgres/pool-factory';
import { PoolModule } from '../platform/postgres/pool.module';
import { RateLimitSettings } from '../platform/rate-limit/rate-limit';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { Clock } from '../shared/clock';
import { LinkTrafficParts } from './link-traffic.composition';
import { type LinkTrafficDependencies, LinkTrafficSettings } from './link-traffic-dependencies';
import { provideNamed } from '../shared/provide';

/**
 * Provides link traffic to the listener of a process that also answers the management API. Nest starts and stops it. It takes
 * no part in a visit, which goes from the listener (`src/app/dispatcher.ts`) straight to the handler.
 */
@Module({
  imports: [PoolModule, ChangeListenerModule, ClicksModule, RateLimitModule, MetricsModule],
  providers: [
    provideNamed<Omit<LinkTrafficDependencies, 'region'>>(LinkTrafficParts, {
      settings: LinkTrafficSettings,
      database: DatabaseSettings,
      rateLimit: RateLimitSettings,
      pictures: PictureStoreSettings,
      hosts: LinkHosts,
      pools: PoolFactory,
      changeListener: ChangeListener,
      clicks: ClickRecorder,
      rateLimits: ThrottlerStorage,
      clock: Clock,
      log: Log,
      metrics: Metrics,
      escapes: BrowserEscapes,
    }),
  ],
  exports: [LinkTrafficParts],
})
export class LinkTrafficModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(private readonly linkTraffic: LinkTrafficParts) {}

  async onModuleInit(): Promise<void> {
    await this.linkTraffic.start();
  }

  beforeApplicationShutdown(): void {
    this.linkTraffic.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.linkTraffic.close();
  }
}
