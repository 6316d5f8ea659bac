import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { ReleaseGuardModule } from '../../link-paths/release-guard/release-guard.module';
import { AppRepository } from './app.repository';
import { AndroidAppsController, IosAppsController } from './apps.controller';
import { AppsService } from './apps.service';
import { TypeormAppRepository } from './typeorm-app.repository';

@Module({
  imports: [DatabaseModule, IdempotencyModule, ReleaseGuardModule],
  controllers: [IosAppsController, AndroidAppsController],
  providers: [AppsService, { provide: AppRepository, useClass: TypeormAppRepository }],
  exports: [AppRepository, AppsService],
})
export class AppsModule {}
