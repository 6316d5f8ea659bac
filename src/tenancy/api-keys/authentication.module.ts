import { Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { ChangeListener } from '../../platform/change-notifications/change-listener';
import { ChangeListenerModule } from '../../platform/change-notifications/change-listener.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ApiKeysModule } from './api-keys.module';
import { ApiKeyAuthenticator } from './api-key-authenticator';
import { CallerRepository } from './caller.repository';
import { LastUseRecorder } from './last-use-recorder';
import { Pepper } from './pepper';
import { PgCallerRepository } from './pg-caller.repository';
import { provide } from '../../shared/provide';

/** Authenticates requests. It is apart from `ApiKeysModule`, so that the admin program needs no change listener. */
@Module({
  imports: [DatabaseModule, ApiKeysModule, ChangeListenerModule],
  providers: [
    { provide: CallerRepository, useClass: PgCallerRepository },
    provide(
      LastUseRecorder,
      [CallerRepository, Log],
      (callers, log) =>
        new LastUseRecorder(callers, (error) =>
          log.warn(`last use of API keys not written yet: ${(error as Error).message}`),
        ),
    ),
    provide(
      ApiKeyAuthenticator,
      [CallerRepository, LastUseRecorder, Pepper],
      (callers, lastUse, pepper) => new ApiKeyAuthenticator(callers, lastUse, pepper.value),
    ),
  ],
  exports: [ApiKeyAuthenticator],
})
export class AuthenticationModule {
  constructor(authenticator: ApiKeyAuthenticator, changeListener: ChangeListener) {
    changeListener.onChanges(({ keys, accounts }) => {
      if (keys !== undefined || accounts !== undefined) authenticator.clearCache();
    });
  }
}
