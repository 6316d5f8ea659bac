import { Module } from '@nestjs/common';
import { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { ClickHouseSettings } from '../../platform/clickhouse/clickhouse-settings';
import { ClickHouseModule } from '../../platform/clickhouse/clickhouse.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { ProjectsModule } from '../../links/projects/projects.module';
import { ClickHouseRecordedClickRepository } from './clickhouse-recorded-click.repository';
import { PgRecordedClickRepository } from './pg-recorded-click.repository';
import { RecordedClickRepository } from './recorded-click.repository';
import { RecordedClicksController } from './recorded-clicks.controller';
import { RecordedClicksService } from './recorded-clicks.service';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, AccountsModule, ClickHouseModule, JournalModule, ProjectsModule],
  controllers: [RecordedClicksController],
  providers: [
    RecordedClicksService,
    provide(
      RecordedClickRepository,
      [TransactionContext, ClickHouse, ClickHouseSettings],
      (context, clickHouse: ClickHouse | null, { mode }) =>
        clickHouse && mode !== 'write'
          ? new ClickHouseRecordedClickRepository(clickHouse)
          : new PgRecordedClickRepository(context),
    ),
  ],
})
export class RecordedClicksModule {}
