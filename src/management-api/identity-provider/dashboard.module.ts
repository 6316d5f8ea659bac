import { type DynamicModule, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { Log } from '../../platform/observability/log';
import type { DashboardSettings } from './dashboard-settings';
import { DashboardSignIn } from './dashboard-sign-in';
import { PersonRepository } from './person.repository';
import { TypeormPersonRepository } from './typeorm-person.repository';

@Module({})
export class DashboardModule implements BeforeApplicationShutdown {
  static with(settings: DashboardSettings | undefined): DynamicModule {
    return {
      module: DashboardModule,
      global: true,
      providers: [
        { provide: PersonRepository, useClass: TypeormPersonRepository },
        {
          provide: DashboardSignIn,
          useFactory: (people: PersonRepository, clock: Clock, log: Log) =>
            new DashboardSignIn(settings, { people, clock, log: (message) => log.warn(message) }),
          inject: [PersonRepository, Clock, Log],
        },
      ],
      exports: [DashboardSignIn],
    };
  }

  constructor(private readonly signIn: DashboardSignIn) {}

  beforeApplicationShutdown(): void {
    this.signIn.stop();
  }
}
