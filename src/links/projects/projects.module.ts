import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { ApprovalsModule } from '../../tenancy/approvals/approvals.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { ReleaseGuardModule } from '../../link-paths/release-guard/release-guard.module';
import { FormerSubdomainsController } from './former-subdomains.controller';
import { FormerSubdomainsService } from './former-subdomains.service';
import { ReservationSettings, SubdomainReservations } from './subdomain-reservations';
import { PgDeletedProjectRepository } from './pg-deleted-project.repository';
import { PgSubdomainRepository } from './pg-subdomain.repository';
import { ProjectCache } from './project-cache';
import { ProjectPurge } from './project-purge';
import { ProjectRepository } from './project.repository';
import { TypeormProjectRepository } from './typeorm-project.repository';
import { ProjectsController } from './projects.controller';
import { ProjectsService } from './projects.service';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, AccountsModule, ApprovalsModule, IdempotencyModule, ReleaseGuardModule],
  controllers: [ProjectsController, FormerSubdomainsController],
  providers: [
    ProjectsService,
    FormerSubdomainsService,
    provideClass(ProjectCache, [ProjectRepository]),
    { provide: ProjectRepository, useClass: TypeormProjectRepository },
    PgSubdomainRepository,
    PgDeletedProjectRepository,
    provideClass(SubdomainReservations, [PgSubdomainRepository, ReservationSettings]),
    provideClass(ProjectPurge, [PgDeletedProjectRepository, SubdomainReservations, Log, BackgroundJobs]),
  ],
  exports: [ProjectRepository, ProjectCache, ProjectsService, PgSubdomainRepository],
})
export class ProjectsModule {}
