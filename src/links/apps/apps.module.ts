import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { ReleaseGuardModule } from '../../link-paths/release-guard/release-guard.module';
import { TypeormAppRepository } from './typeorm-app.repository';
import { AndroidAppsController, IosAppsController } from './apps.controller';
import { AppsService } from './apps.service';

@Module({
  imports: [DatabaseModule, IdempotencyModule, ReleaseGuardModule],
  controllers: [IosAppsController, AndroidAppsController],
  providers: [AppsService, TypeormAppRepository],
  exports: [TypeormAppRepository, AppsService],
})
export class AppsModule {}
