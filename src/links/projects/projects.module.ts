import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { FormerSubdomainsController } from './former-subdomains.controller';
import { FormerSubdomainsService } from './former-subdomains.service';
import { SubdomainReservations, ReservationSettings } from './subdomain-reservations';
import { PgDeletedProjectRepository } from './pg-deleted-project.repository';
import { PgSubdomainRepository } from './pg-subdomain.repository';
import { ProjectCache } from './project-cache';
import { ProjectPurge } from './project-purge';
import { ProjectRepository } from './project.repository';
import { ProjectSchema } from './project.schema';
import { ProjectsController } from './projects.controller';
import { ProjectsService } from './projects.service';
import { SubdomainRepository } from './subdomain.repository';
import { TypeormProjectRepository } from './typeorm-project.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([ProjectSchema]), AccountsModule, IdempotencyModule],
  controllers: [ProjectsController, FormerSubdomainsController],
  providers: [
    ProjectsService,
    FormerSubdomainsService,
    provide(ProjectCache, [ProjectRepository], (projects) => new ProjectCache(projects)),
    { provide: ProjectRepository, useClass: TypeormProjectRepository },
    { provide: SubdomainRepository, useClass: PgSubdomainRepository },
    PgDeletedProjectRepository,
    provide(
      SubdomainReservations,
      [SubdomainRepository, ReservationSettings],
      (subdomains, settings) => new SubdomainReservations(subdomains, settings),
    ),
    provide(
      ProjectPurge,
      [PgDeletedProjectRepository, SubdomainReservations, Log, BackgroundJobs],
      (projects, held, log, jobs) =>
        new ProjectPurge(
          projects,
          held,
          (error) => log.warn(`a purge goes on later: ${(error as Error).message}`),
          jobs,
        ),
    ),
  ],
  exports: [ProjectRepository, ProjectCache, SubdomainRepository],
})
export class ProjectsModule {}
