import { Inject, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { Clock } from '../../shared/clock';
import { ApiKeyRepository } from './api-key.repository';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { Authenticator } from './authenticator';
import { LastUse } from './last-use';
import { Pepper } from './pepper';
import { TypeormApiKeyRepository } from './typeorm-api-key.repository';

@Module({
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    { provide: ApiKeyRepository, useClass: TypeormApiKeyRepository },
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
  exports: [Authenticator, ApiKeysService],
})
export class ApiKeysModule implements BeforeApplicationShutdown {
  constructor(@Inject(LastUse) private readonly lastUse: LastUse) {}

  /** Before the pool closes: what was collected is written. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.lastUse.stop();
  }
}
