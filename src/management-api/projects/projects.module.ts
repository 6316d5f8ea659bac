import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { AccountsModule } from '../accounts/accounts.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { ParallelShutdown } from '../kit/parallel-shutdown';
import { FormerSubdomainsController } from './former-subdomains.controller';
import { FormerSubdomainsService } from './former-subdomains.service';
import { SubdomainReservations, ReservationSettings } from './subdomain-reservations';
import { ProjectCache } from './project-cache';
import { ProjectPurge } from './project-purge';
import { ProjectRepository } from './project.repository';
import { ProjectSchema } from './project.schema';
import { ProjectsController } from './projects.controller';
import { ProjectsService } from './projects.service';
import { SubdomainRepository } from './subdomain.repository';
import { TypeormProjectRepository } from './typeorm-project.repository';
import { TypeormSubdomainRepository } from './typeorm-subdomain.repository';

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
    { provide: SubdomainRepository, useClass: TypeormSubdomainRepository },
    {
      provide: SubdomainReservations,
      useFactory: (subdomains: SubdomainRepository, settings: ReservationSettings) =>
        new SubdomainReservations(subdomains, settings),
      inject: [SubdomainRepository, ReservationSettings],
    },
    {
      provide: ProjectPurge,
      useFactory: (projects: ProjectRepository, held: SubdomainReservations, log: Log, jobs: BackgroundJobs) =>
        new ProjectPurge(
          projects,
          held,
          (error) => log.warn(`a purge goes on later: ${(error as Error).message}`),
          jobs,
        ),
      inject: [ProjectRepository, SubdomainReservations, Log, BackgroundJobs],
    },
  ],
  exports: [ProjectRepository, ProjectCache],
})
export class ProjectsModule extends ParallelShutdown {
  constructor(private readonly purge: ProjectPurge) {
    super();
  }

  protected stop(): Promise<void> {
    return this.purge.stop();
  }
}
