import { Module } from '@nestjs/common';
import { AndroidAppsModule } from '../android-apps/android-apps.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { IosAppsModule } from '../ios-apps/ios-apps.module';
import { ExplainService } from './explain.service';
import { VisitController } from './visit.controller';

@Module({
  imports: [DynamicLinksModule, IosAppsModule, AndroidAppsModule],
  controllers: [VisitController],
  providers: [ExplainService],
})
export class ExplainModule {}
