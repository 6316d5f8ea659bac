import { Module } from '@nestjs/common';
import { AppsModule } from '../../links/apps/apps.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { AssociationFactsModule } from '../association-facts/association-facts.module';
import { AssociationHealthController } from './association-health.controller';
import { AssociationHealthService } from './association-health.service';
import { HostProbe } from './host-probe';
import { PgProjectHostRepository } from './pg-project-host.repository';
import { HostAddresses } from '../../platform/outbound/host-addresses';
import { ProbeLimits } from '../../platform/outbound/probe-limits';
import { ProbeSettings } from '../../platform/outbound/probe-settings';
import { provideClass } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, OutboundModule, AppsModule, AssociationFactsModule],
  controllers: [AssociationHealthController],
  providers: [
    AssociationHealthService,
    PgProjectHostRepository,
    provideClass(HostProbe, [HostAddresses, ProbeSettings, ProbeLimits]),
  ],
})
export class AssociationHealthModule {}
