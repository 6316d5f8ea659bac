import { Module } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { AndroidAppsModule } from '../../management-api/android-apps/android-apps.module';
import { IosAppsModule } from '../../management-api/ios-apps/ios-apps.module';
import { DnsSettings } from '../../platform/dns/dns-settings';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { rateLimitWindowMs } from '../../platform/rate-limit/rate-limit';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module';
import { AssociationFactsModule } from '../association-facts/association-facts.module';
import { AssociationHealthController } from './association-health.controller';
import { AssociationHealthService } from './association-health.service';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';
import { HostProbe } from './host-probe';
import { type CountProbe, ProbeLimits } from './probe-limits';
import { ProbeSettings } from './probe-settings';
import { ProjectHostRepository } from './project-host.repository';
import { PgProjectHostRepository } from './pg-project-host.repository';

const countProbesIn =
  (storage: ThrottlerStorage, { perMinute }: ProbeSettings): CountProbe =>
  async (accountId) => {
    const window = rateLimitWindowMs;
    const counted = await storage.increment(`probe:${accountId}`, window, perMinute, window, 'default');
    return { probes: counted.totalHits, timeToExpireMs: counted.timeToExpire };
  };

@Module({
  imports: [DatabaseModule, RateLimitModule, IosAppsModule, AndroidAppsModule, AssociationFactsModule],
  controllers: [AssociationHealthController],
  providers: [
    AssociationHealthService,
    { provide: ProjectHostRepository, useClass: PgProjectHostRepository },
    {
      provide: HostProbe,
      useFactory: ({ resolvers }: DnsSettings, settings: ProbeSettings, storage: ThrottlerStorage) =>
        new HostProbe(
          new DnsHostAddresses(resolvers),
          settings,
          new ProbeLimits(countProbesIn(storage, settings), settings),
        ),
      inject: [DnsSettings, ProbeSettings, ThrottlerStorage],
    },
  ],
})
export class AssociationHealthModule {}
