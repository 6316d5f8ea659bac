import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { ParallelShutdown } from '../../api-kit/kit/parallel-shutdown';
import { FormerSubdomainsController } from './former-subdomains.controller';
import { FormerSubdomainsService } from './former-subdomains.service';
import { SubdomainReservations, ReservationSettings } from './subdomain-reservations';
import { DeletedProjectRepository } from './deleted-project.repository';
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

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([ProjectSchema]), AccountsModule, IdempotencyModule],
  controllers: [ProjectsController, FormerSubdomainsController],
  providers: [
    ProjectsService,
    FormerSubdomainsService,
    {
      provide: ProjectCache,
      useFactory: (projects: ProjectRepository) => new ProjectCache(projects),
      inject: [ProjectRepository],
    },
    { provide: ProjectRepository, useClass: TypeormProjectRepository },
    { provide: SubdomainRepository, useClass: PgSubdomainRepository },
    { provide: DeletedProjectRepository, useClass: PgDeletedProjectRepository },
    {
      provide: SubdomainReservations,
      useFactory: (subdomains: SubdomainRepository, settings: ReservationSettings) =>
        new SubdomainReservations(subdomains, settings),
      inject: [SubdomainRepository, ReservationSettings],
    },
    {
      provide: ProjectPurge,
      useFactory: (projects: DeletedProjectRepository, held: SubdomainReservations, log: Log, jobs: BackgroundJobs) =>
        new ProjectPurge(
          projects,
          held,
          (error) => log.warn(`a purge goes on later: ${(error as Error).message}`),
          jobs,
        ),
      inject: [DeletedProjectRepository, SubdomainReservations, Log, BackgroundJobs],
    },
  ],
  exports: [ProjectRepository, ProjectCache, SubdomainRepository],
})
export class ProjectsModule extends ParallelShutdown {
  constructor(private readonly purge: ProjectPurge) {
    super();
  }

  protected stop(): Promise<void> {
    return this.purge.stop();
  }
}
