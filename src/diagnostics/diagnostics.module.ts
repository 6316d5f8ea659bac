import { Module } from '@nestjs/common';
import { AppsModule } from '../links/apps/apps.module';
import { DynamicLinksModule } from '../links/dynamic-links/dynamic-links.module';
import { LinkTemplatesModule } from '../links/link-templates/link-templates.module';
import { BrowserEscapes } from '../link-routing/escapes/escape-choice';
import { ReleaseGuardModule } from '../link-paths/release-guard/release-guard.module';
import { ProjectRepository } from '../links/projects/project.repository';
import { ProjectsModule } from '../links/projects/projects.module';
import { Log } from '../platform/observability/log';
import { HostAddresses } from '../platform/outbound/host-addresses';
import { OutboundModule } from '../platform/outbound/outbound.module';
import { ProbeLimits } from '../platform/outbound/probe-limits';
import { ProbeSettings } from '../platform/outbound/probe-settings';
import { DatabaseModule } from '../platform/postgres/database.module';
import { BackgroundJobs } from '../shared/background-jobs';
import { provideClass } from '../shared/provide';
import { PgAssociationFactsRepository } from './explain/pg-association-facts.repository';
import { AssociationHealthController } from './association-health/association-health.controller';
import { AssociationHealthService } from './association-health/association-health.service';
import { AssociationWatch } from './association-health/association-watch';
import { EscapeWatch } from './association-health/escape-watch';
import { HostProbe } from './association-health/host-probe';
import { PgAssociationCheckRepository } from './association-health/pg-association-check.repository';
import { PgEscapeEventRepository } from './association-health/pg-escape-event.repository';
import { PgProjectHostRepository } from './association-health/pg-project-host.repository';
import { ExplainDraftsController } from './explain/explain-drafts.controller';
import { ExplainController } from './explain/explain.controller';
import { ExplainService } from './explain/explain.service';
import { LinkDraftsService } from './explain/link-drafts.service';

@Module({
  imports: [
    DatabaseModule,
    OutboundModule,
    DynamicLinksModule,
    AppsModule,
    LinkTemplatesModule,
    ProjectsModule,
    ReleaseGuardModule,
  ],
  controllers: [ExplainController, ExplainDraftsController, AssociationHealthController],
  providers: [
    PgAssociationFactsRepository,
    ExplainService,
    LinkDraftsService,
    AssociationHealthService,
    PgProjectHostRepository,
    PgAssociationCheckRepository,
    provideClass(AssociationWatch, [
      PgAssociationCheckRepository,
      ProjectRepository,
      AssociationHealthService,
      Log,
      BackgroundJobs,
    ]),
    PgEscapeEventRepository,
    provideClass(EscapeWatch, [BrowserEscapes, PgEscapeEventRepository, Log, BackgroundJobs]),
    provideClass(HostProbe, [HostAddresses, ProbeSettings, ProbeLimits]),
  ],
})
export class DiagnosticsModule {}
