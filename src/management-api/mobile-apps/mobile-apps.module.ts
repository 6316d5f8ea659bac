import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AppLimit, MobileAppSettings } from './app-limit';
import { ProjectAppsRepository } from './project-apps.repository';
import { TypeormProjectAppsRepository } from './typeorm-project-apps.repository';

@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: ProjectAppsRepository, useClass: TypeormProjectAppsRepository },
    {
      provide: AppLimit,
      useFactory: (apps: ProjectAppsRepository, settings: MobileAppSettings) => new AppLimit(apps, settings),
      inject: [ProjectAppsRepository, MobileAppSettings],
    },
  ],
  exports: [AppLimit],
})
export class MobileAppsModule {}
