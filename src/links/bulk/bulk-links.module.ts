import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { AppsModule } from '../apps/apps.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { TagsModule } from '../tags/tags.module';
import { BulkByFilterService } from './bulk-by-filter.service';
import { BulkLinksController } from './bulk-links.controller';
import { BulkLinksService } from './bulk-links.service';
import { PgMatchingLinkRepository } from './pg-matching-link.repository';

@Module({
  imports: [
    DatabaseModule,
    AccountsModule,
    IdempotencyModule,
    JournalModule,
    AppsModule,
    TagsModule,
    DynamicLinksModule,
  ],
  controllers: [BulkLinksController],
  providers: [BulkLinksService, BulkByFilterService, PgMatchingLinkRepository],
})
export class BulkLinksModule {}
