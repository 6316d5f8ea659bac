import { Inject, Module } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { ChangeListener } from '../../platform/change-notifications/change-listener';
import { ChangeListenerModule } from '../../platform/change-notifications/change-listener.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { TokenAuthenticator } from './token-authenticator';
import { TokenAuthenticatorSettings } from './identity-provider-settings';
import { PgUserIdentityRepository } from './pg-user-identity.repository';
import { Log } from '../../platform/observability/log';
import { Clock } from '../../shared/clock';
import { provideClass } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, ChangeListenerModule, MetricsModule],
  providers: [
    PgUserIdentityRepository,
    provideClass(TokenAuthenticator, [TokenAuthenticatorSettings, PgUserIdentityRepository, Clock, Log]),
  ],
  exports: [TokenAuthenticator],
})
export class IdentityProviderModule {
  constructor(
    tokenAuthenticator: TokenAuthenticator,
    settings: TokenAuthenticatorSettings,
    changeListener: ChangeListener,
    @Inject(Metrics) metrics: Metrics | null,
  ) {
    changeListener.onChanges(({ accounts }) => {
      if (accounts !== undefined) tokenAuthenticator.clearCache();
    });
    if (settings.provider) metrics?.watchKeySet(() => tokenAuthenticator.keySetAgeMs);
  }
}
