import { Module } from '@nestjs/common';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { ProjectsModule } from '../../links/projects/projects.module';
import { TagsModule } from '../../links/tags/tags.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { ClickReadsModule } from '../click-reads.module';
import { ShareRepository } from './share.repository';
import { SharedStatisticsController } from './shared-statistics.controller';
import { SharedStatisticsService } from './shared-statistics.service';
import { SharesController } from './shares.controller';
import { SharesService } from './shares.service';
import { TypeormShareRepository } from './typeorm-share.repository';

@Module({
  imports: [
    DatabaseModule,
    ClickReadsModule,
    DynamicLinksModule,
    IdempotencyModule,
    ProjectsModule,
    RateLimitModule,
    TagsModule,
  ],
  controllers: [SharesController, SharedStatisticsController],
  providers: [SharesService, SharedStatisticsService, { provide: ShareRepository, useClass: TypeormShareRepository }],
})
export class SharesModule {}
