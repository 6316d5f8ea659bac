import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AppLimit, MobileAppSettings } from './app-limit';
import { ProjectAppsRepository } from './project-apps.repository';
import { PgProjectAppsRepository } from './pg-project-apps.repository';

@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: ProjectAppsRepository, useClass: PgProjectAppsRepository },
    {
      provide: AppLimit,
      useFactory: (apps: ProjectAppsRepository, settings: MobileAppSettings) => new AppLimit(apps, settings),
      inject: [ProjectAppsRepository, MobileAppSettings],
    },
  ],
  exports: [AppLimit],
})
export class MobileAppsModule {}
