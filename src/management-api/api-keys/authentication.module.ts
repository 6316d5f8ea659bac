import { Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { ChangeListener } from '../../platform/postgres/change-listener';
import { ChangeListenerModule } from '../../platform/postgres/change-listener.module';
import { ParallelShutdown } from '../kit/parallel-shutdown';
import { ApiKeyRepository } from './api-key.repository';
import { ApiKeysModule } from './api-keys.module';
import { ApiKeyAuthenticator } from './api-key-authenticator';
import { LastUseRecorder } from './last-use-recorder';
import { Pepper } from './pepper';

/** Authenticates requests. It is apart from `ApiKeysModule`, so that the admin program needs no change listener. */
@Module({
  imports: [ApiKeysModule, ChangeListenerModule],
  providers: [
    {
      provide: LastUseRecorder,
      useFactory: (keys: ApiKeyRepository, log: Log) =>
        new LastUseRecorder(keys, (error) =>
          log.warn(`last use of API keys not written yet: ${(error as Error).message}`),
        ),
      inject: [ApiKeyRepository, Log],
    },
    {
      provide: ApiKeyAuthenticator,
      useFactory: (keys: ApiKeyRepository, lastUse: LastUseRecorder, pepper: Pepper) =>
        new ApiKeyAuthenticator(keys, lastUse, pepper.value),
      inject: [ApiKeyRepository, LastUseRecorder, Pepper],
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
