import { type BeforeApplicationShutdown, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { ChangeListener } from '../../platform/change-notifications/change-listener';
import { ChangeListenerModule } from '../../platform/change-notifications/change-listener.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Clock } from '../../shared/clock';
import { TokenAuthenticator } from './token-authenticator';
import { TokenAuthenticatorSettings } from './token-authenticator-settings';
import { PgUserIdentityRepository } from './pg-user-identity.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, ChangeListenerModule, MetricsModule],
  providers: [
    PgUserIdentityRepository,
    provide(
      TokenAuthenticator,
      [PgUserIdentityRepository, Clock, Log, TokenAuthenticatorSettings],
      (userIdentities, clock, log, { provider }) =>
        new TokenAuthenticator(provider, { userIdentities, clock, log: (message) => log.warn(message) }),
    ),
  ],
  exports: [TokenAuthenticator],
})
export class IdentityProviderModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly tokenAuthenticator: TokenAuthenticator,
    settings: TokenAuthenticatorSettings,
    changeListener: ChangeListener,
    @Inject(Metrics) metrics: Metrics | null,
  ) {
    changeListener.onChanges(({ accounts }) => {
      if (accounts !== undefined) tokenAuthenticator.clearCache();
    });
    if (settings.provider) metrics?.watchKeySet(() => tokenAuthenticator.keySetAgeMs);
  }

  async onModuleInit(): Promise<void> {
    await this.tokenAuthenticator.start();
  }

  beforeApplicationShutdown(): void {
    this.tokenAuthenticator.stop();
  }
}
