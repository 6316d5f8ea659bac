import { Module } from '@nestjs/common';
import { ChangeListener } from '../../platform/change-notifications/change-listener';
import { ChangeListenerModule } from '../../platform/change-notifications/change-listener.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ApiKeysModule } from './api-keys.module';
import { ApiKeyAuthenticator } from './api-key-authenticator';
import { CallerRepository } from './caller.repository';
import { LastUseRecorder } from './last-use-recorder';
import { PgCallerRepository } from './pg-caller.repository';
import { Log } from '../../platform/observability/log';
import { provideClass } from '../../shared/provide';
import { Pepper } from './pepper';

/** Authenticates requests. It is apart from `ApiKeysModule`, so that the admin program needs no change listener. */
@Module({
  imports: [DatabaseModule, ApiKeysModule, ChangeListenerModule],
  providers: [
    provideClass(ApiKeyAuthenticator, [CallerRepository, LastUseRecorder, Pepper]),
    provideClass(LastUseRecorder, [CallerRepository, Log]),
    { provide: CallerRepository, useClass: PgCallerRepository },
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
