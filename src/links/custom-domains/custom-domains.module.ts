import { Inject, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseClock } from '../../shared/database-clock';
import { DnsSettings } from '../../platform/dns/dns-settings';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';
import { ProbeLimits } from '../../platform/outbound/probe-limits';
import { ProbeLimitsModule } from '../../platform/outbound/probe-limits.module';
import { ProbeSettings } from '../../platform/outbound/probe-settings';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { LinkHosts } from '../link-paths/link-hosts';
import { ProjectsModule } from '../projects/projects.module';
import { CustomDomainRepository } from './custom-domain.repository';
import { CustomDomainSchema } from './custom-domain.schema';
import { CustomDomainsController } from './custom-domains.controller';
import { CustomDomainsService } from './custom-domains.service';
import { DnsDomainRecords } from './dns-domain-records';
import { PgDomainCheckRepository } from './pg-domain-check.repository';
import { DomainChecksController } from './domain-checks.controller';
import { DomainChecks } from './domain-checks';
import { DomainProbe } from './domain-probe';
import { DomainRecords } from './domain-records';
import { DomainSettings } from './domain-settings';
import { TypeormCustomDomainRepository } from './typeorm-custom-domain.repository';
import { provide } from '../../shared/provide';

const warnings = {
  missing: 'the record of a custom domain is missing',
  lost: 'a custom domain lost its verification: its record has been missing for too long',
};

@Module({
  imports: [
    DatabaseModule,
    TypeOrmModule.forFeature([CustomDomainSchema]),
    IdempotencyModule,
    MetricsModule,
    ProbeLimitsModule,
    ProjectsModule,
  ],
  controllers: [CustomDomainsController, DomainChecksController],
  providers: [
    CustomDomainsService,
    { provide: CustomDomainRepository, useClass: TypeormCustomDomainRepository },
    PgDomainCheckRepository,
    provide(DomainRecords, [DnsSettings], ({ resolvers }) => new DnsDomainRecords(resolvers)),
    provide(
      DomainProbe,
      [DnsSettings, LinkHosts, ProbeSettings, ProbeLimits],
      ({ resolvers }, hosts, settings, limits) =>
        new DomainProbe(new DnsHostAddresses(resolvers), hosts, settings, limits),
    ),
    provide(
      DomainChecks,
      [PgDomainCheckRepository, DomainRecords, DatabaseClock, DomainSettings, Log],
      (domains, records, clock, settings, log) =>
        new DomainChecks(domains, records, clock, settings, {
          onMissing: ({ hostname, projectId }, result) =>
            log.logger.warn({ hostname, project_id: projectId }, warnings[result]),
          onError: (error) => log.warn(`custom domains are checked later: ${(error as Error).message}`),
        }),
    ),
  ],
})
export class CustomDomainsModule {
  constructor(checks: DomainChecks, @Inject(Metrics) metrics: Metrics | null) {
    metrics?.watchCustomDomains(checks);
  }
}
