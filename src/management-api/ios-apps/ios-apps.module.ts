import { Module } from '@nestjs/common';
import { IosAppRepository } from './ios-app.repository';
import { IosAppsController } from './ios-apps.controller';
import { IosAppsService } from './ios-apps.service';
import { TypeormIosAppRepository } from './typeorm-ios-app.repository';

@Module({
  controllers: [IosAppsController],
  providers: [IosAppsService, { provide: IosAppRepository, useClass: TypeormIosAppRepository }],
  exports: [IosAppRepository],
})
export class IosAppsModule {}
