import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { MobileAppsModule } from './mobile-apps.module';
import { IosAppRepository } from './ios-app.repository';
import { IosAppSchema } from './ios-app.schema';
import { IosAppsController } from './ios-apps.controller';
import { IosAppsService } from './ios-apps.service';
import { TypeormIosAppRepository } from './typeorm-ios-app.repository';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([IosAppSchema]), IdempotencyModule, MobileAppsModule],
  controllers: [IosAppsController],
  providers: [IosAppsService, { provide: IosAppRepository, useClass: TypeormIosAppRepository }],
  exports: [IosAppRepository],
})
export class IosAppsModule {}
