import { type DynamicModule, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { Log } from '../../platform/observability/log';
import type { IdentityProviderSettings } from './identity-provider-settings';
import { TokenAuthenticator } from './token-authenticator';
import { TypeormUserIdentityRepository } from './typeorm-user-identity.repository';
import { UserIdentityRepository } from './user-identity.repository';

@Module({})
export class IdentityProviderModule implements BeforeApplicationShutdown {
  static with(settings: IdentityProviderSettings | undefined): DynamicModule {
    return {
      module: IdentityProviderModule,
      global: true,
      providers: [
        { provide: UserIdentityRepository, useClass: TypeormUserIdentityRepository },
        {
          provide: TokenAuthenticator,
          useFactory: (userIdentities: UserIdentityRepository, clock: Clock, log: Log) =>
            new TokenAuthenticator(settings, { userIdentities, clock, log: (message) => log.warn(message) }),
          inject: [UserIdentityRepository, Clock, Log],
        },
      ],
      exports: [TokenAuthenticator],
    };
  }

  constructor(private readonly tokenAuthenticator: TokenAuthenticator) {}

  beforeApplicationShutdown(): void {
    this.tokenAuthenticator.stop();
  }
}
