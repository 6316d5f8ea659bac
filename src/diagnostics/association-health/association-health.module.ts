import { Module } from '@nestjs/common';
import { AndroidAppsModule } from '../../management-api/android-apps/android-apps.module';
import { DomainSettings } from '../../management-api/custom-domains/domain-settings';
import { IosAppsModule } from '../../management-api/ios-apps/ios-apps.module';
import { AssociationHealthController } from './association-health.controller';
import { AssociationHealthService } from './association-health.service';
import { DnsHostAddresses } from './dns-host-addresses';
import { HostProbe } from './host-probe';
import { ProbeSettings } from './probe-settings';
import { ProjectHostRepository } from './project-host.repository';
import { TypeormProjectHostRepository } from './typeorm-project-host.repository';

@Module({
  imports: [IosAppsModule, AndroidAppsModule],
  controllers: [AssociationHealthController],
  providers: [
    AssociationHealthService,
    { provide: ProjectHostRepository, useClass: TypeormProjectHostRepository },
    {
      provide: HostProbe,
      useFactory: ({ resolvers }: DomainSettings, settings: ProbeSettings) =>
        new HostProbe(new DnsHostAddresses(resolvers), settings),
      inject: [DomainSettings, ProbeSettings],
    },
  ],
})
export class AssociationHealthModule {}
