import { Module } from '@nestjs/common';
import { AndroidAppsModule } from '../../management-api/android-apps/android-apps.module';
import { DynamicLinksModule } from '../../management-api/dynamic-links/dynamic-links.module';
import { IosAppsModule } from '../../management-api/ios-apps/ios-apps.module';
import { AssociationFactsModule } from '../association-facts/association-facts.module';
import { ExplainController } from './explain.controller';
import { ExplainService } from './explain.service';

@Module({
  imports: [DynamicLinksModule, IosAppsModule, AndroidAppsModule, AssociationFactsModule],
  controllers: [ExplainController],
  providers: [ExplainService],
})
export class ExplainModule {}
