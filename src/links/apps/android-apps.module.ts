import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { MobileAppsModule } from './mobile-apps.module';
import { AndroidAppRepository } from './android-app.repository';
import { AndroidAppSchema } from './android-app.schema';
import { AndroidAppsController } from './android-apps.controller';
import { AndroidAppsService } from './android-apps.service';
import { TypeormAndroidAppRepository } from './typeorm-android-app.repository';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([AndroidAppSchema]), IdempotencyModule, MobileAppsModule],
  controllers: [AndroidAppsController],
  providers: [AndroidAppsService, { provide: AndroidAppRepository, useClass: TypeormAndroidAppRepository }],
  exports: [AndroidAppRepository],
})
export class AndroidAppsModule {}
