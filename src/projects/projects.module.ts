import { Module } from '@nestjs/common';
import { ProjectRepository } from './project.repository';
import { ProjectsController } from './projects.controller';
import { ProjectsService } from './projects.service';
import { TypeormProjectRepository } from './typeorm-project.repository';

@Module({
  controllers: [ProjectsController],
  providers: [ProjectsService, { provide: ProjectRepository, useClass: TypeormProjectRepository }],
  exports: [ProjectRepository],
})
export class ProjectsModule {}
