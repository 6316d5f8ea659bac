import { Module } from '@nestjs/common';
import { AppsModule } from '../../links/apps/apps.module';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { AssociationFactsModule } from '../association-facts/association-facts.module';
import { ExplainController } from './explain.controller';
import { ExplainService } from './explain.service';
import { LinkDraftsService } from './link-drafts.service';

@Module({
  imports: [DynamicLinksModule, AppsModule, AssociationFactsModule],
  controllers: [ExplainController],
  providers: [ExplainService, LinkDraftsService],
})
export class ExplainModule {}
