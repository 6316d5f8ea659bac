import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AppLimit } from './app-limit';
import { ProjectAppsRepository } from './project-apps.repository';
import { TypeormProjectAppsRepository } from './typeorm-project-apps.repository';

@Module({
  imports: [DatabaseModule],
  providers: [AppLimit, { provide: ProjectAppsRepository, useClass: TypeormProjectAppsRepository }],
  exports: [AppLimit],
})
export class MobileAppsModule {}
