import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AppLimit, AppSettings } from './app-limit';
import { ProjectAppsRepository } from './project-apps.repository';
import { TypeormProjectAppsRepository } from './typeorm-project-apps.repository';

@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: ProjectAppsRepository, useClass: TypeormProjectAppsRepository },
    {
      provide: AppLimit,
      useFactory: (apps: ProjectAppsRepository, settings: AppSettings) => new AppLimit(apps, settings),
      inject: [ProjectAppsRepository, AppSettings],
    },
  ],
  exports: [AppLimit],
})
export class MobileAppsModule {}
