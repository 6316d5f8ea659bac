import { type BeforeApplicationShutdown, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { ChangeListener } from '../../platform/postgres/change-listener';
import { ChangeListenerModule } from '../../platform/postgres/change-listener.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Clock } from '../../shared/clock';
import { DashboardSignIn } from './dashboard-sign-in';
import { PersonRepository } from './person.repository';
import { SignInSettings } from './sign-in-settings';
import { TypeormPersonRepository } from './typeorm-person.repository';

@Module({
  imports: [DatabaseModule, ChangeListenerModule, MetricsModule],
  providers: [
    { provide: PersonRepository, useClass: TypeormPersonRepository },
    {
      provide: DashboardSignIn,
      useFactory: (people: PersonRepository, clock: Clock, log: Log, { provider }: SignInSettings) =>
        new DashboardSignIn(provider, { people, clock, log: (message) => log.warn(message) }),
      inject: [PersonRepository, Clock, Log, SignInSettings],
    },
  ],
  exports: [DashboardSignIn],
})
export class DashboardModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly signIn: DashboardSignIn,
    private readonly settings: SignInSettings,
    changeListener: ChangeListener,
    @Inject(Metrics) metrics: Metrics | null,
  ) {
    changeListener.onChanges(({ accounts }) => {
      if (accounts !== undefined) signIn.forget();
    });
    if (settings.provider && settings.readsKeys) metrics?.watchProviderKeys(() => signIn.ageOfKeys);
  }

  async onModuleInit(): Promise<void> {
    if (this.settings.readsKeys) await this.signIn.start();
  }

  beforeApplicationShutdown(): void {
    this.signIn.stop();
  }
}
