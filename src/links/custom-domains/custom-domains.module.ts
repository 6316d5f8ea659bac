import { Inject, Module } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ApprovalsModule } from '../../tenancy/approvals/approvals.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { ProjectsModule } from '../projects/projects.module';
import { CustomDomainsController } from './custom-domains.controller';
import { CustomDomainsService } from './custom-domains.service';
import { PgDomainCheckRepository } from './pg-domain-check.repository';
import { DomainChecksController } from './domain-checks.controller';
import { DomainChecks } from './domain-checks';
import { DomainProbe } from './domain-probe';
import { DomainRecords } from './domain-records';
import { TypeormCustomDomainRepository } from './typeorm-custom-domain.repository';
import { DnsSettings } from '../../platform/dns/dns-answer';
import { Log } from '../../platform/observability/log';
import { HostAddresses } from '../../platform/outbound/host-addresses';
import { ProbeLimits } from '../../platform/outbound/probe-limits';
import { ProbeSettings } from '../../platform/outbound/probe-settings';
import { DatabaseClock } from '../../shared/database-clock';
import { provideClass } from '../../shared/provide';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import { ReleaseGuardModule } from '../../link-paths/release-guard/release-guard.module';
import { DomainSettings } from './domain-settings';

@Module({
  imports: [
    DatabaseModule,
    ApprovalsModule,
    IdempotencyModule,
    MetricsModule,
    OutboundModule,
    ProjectsModule,
    ReleaseGuardModule,
  ],
  controllers: [CustomDomainsController, DomainChecksController],
  providers: [
    CustomDomainsService,
    TypeormCustomDomainRepository,
    PgDomainCheckRepository,
    provideClass(DomainRecords, [DnsSettings]),
    provideClass(DomainProbe, [HostAddresses, LinkHosts, ProbeSettings, ProbeLimits]),
    provideClass(DomainChecks, [PgDomainCheckRepository, DomainRecords, DatabaseClock, DomainSettings, Log]),
  ],
  exports: [CustomDomainsService],
})
export class CustomDomainsModule {
  constructor(checks: DomainChecks, @Inject(Metrics) metrics: Metrics | null) {
    metrics?.watch({
      signpost_custom_domains_record_missing: () => checks.missing,
      signpost_custom_domain_checks_total: () => checks.counts,
    });
  }
}
