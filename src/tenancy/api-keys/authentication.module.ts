import { Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { ChangeListener } from '../../platform/change-notifications/change-listener';
import { ChangeListenerModule } from '../../platform/change-notifications/change-listener.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ParallelShutdown } from '../../api-kit/kit/parallel-shutdown';
import { ApiKeysModule } from './api-keys.module';
import { ApiKeyAuthenticator } from './api-key-authenticator';
import { CallerRepository } from './caller.repository';
import { LastUseRecorder } from './last-use-recorder';
import { Pepper } from './pepper';
import { PgCallerRepository } from './pg-caller.repository';

/** Authenticates requests. It is apart from `ApiKeysModule`, so that the admin program needs no change listener. */
@Module({
  imports: [DatabaseModule, ApiKeysModule, ChangeListenerModule],
  providers: [
    { provide: CallerRepository, useClass: PgCallerRepository },
    {
      provide: LastUseRecorder,
      useFactory: (callers: CallerRepository, log: Log) =>
        new LastUseRecorder(callers, (error) =>
          log.warn(`last use of API keys not written yet: ${(error as Error).message}`),
        ),
      inject: [CallerRepository, Log],
    },
    {
      provide: ApiKeyAuthenticator,
      useFactory: (callers: CallerRepository, lastUse: LastUseRecorder, pepper: Pepper) =>
        new ApiKeyAuthenticator(callers, lastUse, pepper.value),
      inject: [CallerRepository, LastUseRecorder, Pepper],
    },
  ],
  exports: [ApiKeyAuthenticator],
})
export class AuthenticationModule extends ParallelShutdown {
  constructor(
    private readonly lastUse: LastUseRecorder,
    authenticator: ApiKeyAuthenticator,
    changeListener: ChangeListener,
  ) {
    super();
    changeListener.onChanges(({ keys, accounts }) => {
      if (keys !== undefined || accounts !== undefined) authenticator.clearCache();
    });
  }

  /** Writes the uses that wait. */
  protected stop(): Promise<void> {
    return this.lastUse.stop();
  }
}
