import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AppsModule } from '../../links/apps/apps.module';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { ShortLinksModule } from '../../links/short-links/short-links.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { HistoryController } from './history.controller';
import { HistoryService } from './history.service';
import { PgRestoredRowRepository } from './pg-restored-row.repository';

@Module({
  imports: [
    DatabaseModule,
    AccountsModule,
    AppsModule,
    DynamicLinksModule,
    ShortLinksModule,
    IdempotencyModule,
    JournalModule,
  ],
  controllers: [HistoryController],
  providers: [HistoryService, PgRestoredRowRepository],
})
export class HistoryModule {}
