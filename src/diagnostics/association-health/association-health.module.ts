import { Module } from '@nestjs/common';
import { AppsModule } from '../../links/apps/apps.module';
import { DnsSettings } from '../../platform/dns/dns-settings';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ProbeLimits } from '../../platform/outbound/probe-limits';
import { ProbeLimitsModule } from '../../platform/outbound/probe-limits.module';
import { ProbeSettings } from '../../platform/outbound/probe-settings';
import { AssociationFactsModule } from '../association-facts/association-facts.module';
import { AssociationHealthController } from './association-health.controller';
import { AssociationHealthService } from './association-health.service';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';
import { HostProbe } from './host-probe';
import { PgProjectHostRepository } from './pg-project-host.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, ProbeLimitsModule, AppsModule, AssociationFactsModule],
  controllers: [AssociationHealthController],
  providers: [
    AssociationHealthService,
    PgProjectHostRepository,
    provide(
      HostProbe,
      [DnsSettings, ProbeSettings, ProbeLimits],
      ({ resolvers }, settings, limits) => new HostProbe(new DnsHostAddresses(resolvers), settings, limits),
    ),
  ],
})
export class AssociationHealthModule {}
