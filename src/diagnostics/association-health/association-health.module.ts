import { Module } from '@nestjs/common';
import { AndroidAppsModule } from '../../management-api/android-apps/android-apps.module';
import { IosAppsModule } from '../../management-api/ios-apps/ios-apps.module';
import { DnsSettings } from '../../platform/dns/dns-settings';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AssociationHealthController } from './association-health.controller';
import { AssociationHealthService } from './association-health.service';
import { DnsHostAddresses } from './dns-host-addresses';
import { HostProbe } from './host-probe';
import { ProbeSettings } from './probe-settings';
import { ProjectHostRepository } from './project-host.repository';
import { TypeormProjectHostRepository } from './typeorm-project-host.repository';

@Module({
  imports: [DatabaseModule, IosAppsModule, AndroidAppsModule],
  controllers: [AssociationHealthController],
  providers: [
    AssociationHealthService,
    { provide: ProjectHostRepository, useClass: TypeormProjectHostRepository },
    {
      provide: HostProbe,
      useFactory: ({ resolvers }: DnsSettings, settings: ProbeSettings) =>
        new HostProbe(new DnsHostAddresses(resolvers), settings),
      inject: [DnsSettings, ProbeSettings],
    },
  ],
})
export class AssociationHealthModule {}
