import { Module } from '@nestjs/common';
import { AndroidAppRepository } from './android-app.repository';
import { AndroidAppsController } from './android-apps.controller';
import { AndroidAppsService } from './android-apps.service';
import { TypeormAndroidAppRepository } from './typeorm-android-app.repository';

@Module({
  controllers: [AndroidAppsController],
  providers: [AndroidAppsService, { provide: AndroidAppRepository, useClass: TypeormAndroidAppRepository }],
  exports: [AndroidAppRepository],
})
export class AndroidAppsModule {}
