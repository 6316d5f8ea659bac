import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { Log } from '../shared/log';
import { ProjectPurge } from './project-purge';
import { ProjectRepository } from './project.repository';
import { ProjectsController } from './projects.controller';
import { ProjectsService } from './projects.service';
import { TypeormProjectRepository } from './typeorm-project.repository';

@Module({
  controllers: [ProjectsController],
  providers: [
    ProjectsService,
    { provide: ProjectRepository, useClass: TypeormProjectRepository },
    {
      provide: ProjectPurge,
      useFactory: (projects: ProjectRepository, log: Log) =>
        new ProjectPurge(projects, (error) => log.warn(`a purge goes on later: ${(error as Error).message}`)),
      inject: [ProjectRepository, Log],
    },
  ],
  exports: [ProjectRepository],
})
export class ProjectsModule implements BeforeApplicationShutdown {
  constructor(private readonly purge: ProjectPurge) {}

  /** Before the pool closes. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.purge.stop();
  }
}
