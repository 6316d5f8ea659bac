import { Module } from '@nestjs/common';
import { AndroidAppsModule } from '../android-apps/android-apps.module';
import { IosAppsModule } from '../ios-apps/ios-apps.module';
import { DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinksController } from './dynamic-links.controller';
import { DynamicLinksService } from './dynamic-links.service';
import { TypeormDynamicLinkRepository } from './typeorm-dynamic-link.repository';

@Module({
  imports: [IosAppsModule, AndroidAppsModule],
  controllers: [DynamicLinksController],
  providers: [DynamicLinksService, { provide: DynamicLinkRepository, useClass: TypeormDynamicLinkRepository }],
  exports: [DynamicLinkRepository, DynamicLinksService],
})
export class DynamicLinksModule {}
