import { Module } from '@nestjs/common';
import { AndroidAppsModule } from '../../links/apps/android-apps.module';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { IosAppsModule } from '../../links/apps/ios-apps.module';
import { AssociationFactsModule } from '../association-facts/association-facts.module';
import { ExplainController } from './explain.controller';
import { ExplainService } from './explain.service';

@Module({
  imports: [DynamicLinksModule, IosAppsModule, AndroidAppsModule, AssociationFactsModule],
  controllers: [ExplainController],
  providers: [ExplainService],
})
export class ExplainModule {}
