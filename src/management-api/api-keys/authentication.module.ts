import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { ChangeListener } from '../../platform/postgres/change-listener';
import { ChangeListenerModule } from '../../platform/postgres/change-listener.module';
import { Clock } from '../../shared/clock';
import { ApiKeyRepository } from './api-key.repository';
import { ApiKeysModule } from './api-keys.module';
import { Authenticator } from './authenticator';
import { LastUse } from './last-use';
import { Pepper } from './pepper';

/** Authenticates requests. It is apart from `ApiKeysModule`, so that the admin program needs no change listener. */
@Module({
  imports: [ApiKeysModule, ChangeListenerModule],
  providers: [
    {
      provide: LastUse,
      useFactory: (keys: ApiKeyRepository, log: Log) =>
        new LastUse(keys, (error) => log.warn(`last use of API keys not written yet: ${(error as Error).message}`)),
      inject: [ApiKeyRepository, Log],
    },
    {
      provide: Authenticator,
      useFactory: (keys: ApiKeyRepository, lastUse: LastUse, clock: Clock, pepper: Pepper) =>
        new Authenticator(keys, lastUse, clock, pepper.value),
      inject: [ApiKeyRepository, LastUse, Clock, Pepper],
    },
  ],
  exports: [Authenticator],
})
export class AuthenticationModule implements BeforeApplicationShutdown {
  constructor(
    private readonly lastUse: LastUse,
    authenticator: Authenticator,
    changeListener: ChangeListener,
  ) {
    changeListener.onChanges(({ keys, accounts }) => {
      if (keys !== undefined || accounts !== undefined) authenticator.forget();
    });
  }

  /** Writes the uses that wait. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.lastUse.stop();
  }
}
