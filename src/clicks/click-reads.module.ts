import { Module } from '@nestjs/common';
import { DynamicLinksModule } from '../links/dynamic-links/dynamic-links.module';
import { ProjectsModule } from '../links/projects/projects.module';
import { ClickHouse } from '../platform/clickhouse/clickhouse';
import { ClickHouseSettings } from '../platform/clickhouse/clickhouse-settings';
import { ClickHouseModule } from '../platform/clickhouse/clickhouse.module';
import { DatabaseModule } from '../platform/postgres/database.module';
import { TransactionContext } from '../platform/postgres/transaction-context';
import { provide } from '../shared/provide';
import { AccountsModule } from '../tenancy/accounts/accounts.module';
import { JournalModule } from '../tenancy/journal/journal.module';
import { PgStoreFunnelRepository } from './app-events/pg-store-funnel.repository';
import { StoreFunnelController } from './app-events/store-funnel.controller';
import { StoreFunnelService } from './app-events/store-funnel.service';
import { ClickHouseLinkClickRepository } from './link-lists/clickhouse-link-click.repository';
import { LinkClickRepository } from './link-lists/link-click.repository';
import { LinkListController } from './link-lists/link-list.controller';
import { LinkListService } from './link-lists/link-list.service';
import { PgLinkClickRepository } from './link-lists/pg-link-click.repository';
import { ClickHouseRecordedClickRepository } from './single-clicks/clickhouse-recorded-click.repository';
import { PgRecordedClickRepository } from './single-clicks/pg-recorded-click.repository';
import { RecordedClickRepository } from './single-clicks/recorded-click.repository';
import { RecordedClicksController } from './single-clicks/recorded-clicks.controller';
import { RecordedClicksService } from './single-clicks/recorded-clicks.service';
import { ClickHouseStatisticsRepository } from './statistics/clickhouse-statistics.repository';
import { PgAppStatisticsRepository } from './statistics/pg-app-statistics.repository';
import { PgFilteredLinkRepository } from './statistics/pg-filtered-link.repository';
import { PgGroupNameRepository } from './statistics/pg-group-name.repository';
import { PgLinkValueRepository } from './statistics/pg-link-value.repository';
import { PgStatisticsRepository } from './statistics/pg-statistics.repository';
import { StatisticsController } from './statistics/statistics.controller';
import { StatisticsRepository } from './statistics/statistics.repository';
import { StatisticsService } from './statistics/statistics.service';

/** Provides the adapter of the store that answers reads. PostgreSQL does while clicks move to ClickHouse. */
const ofStore = <Port>(
  port: abstract new () => Port,
  inClickHouse: new (clickHouse: ClickHouse, linkValues: PgLinkValueRepository) => Port,
  inPostgres: new (context: TransactionContext) => Port,
) =>
  provide(
    port,
    [TransactionContext, PgLinkValueRepository, ClickHouse, ClickHouseSettings],
    (context, linkValues, clickHouse: ClickHouse | null, { mode }) =>
      clickHouse && mode !== 'write' ? new inClickHouse(clickHouse, linkValues) : new inPostgres(context),
  );

@Module({
  imports: [DatabaseModule, ClickHouseModule, DynamicLinksModule],
  controllers: [LinkListController],
  providers: [
    LinkListService,
    PgLinkValueRepository,
    ofStore(LinkClickRepository, ClickHouseLinkClickRepository, PgLinkClickRepository),
  ],
})
export class LinkListsModule {}

@Module({
  imports: [DatabaseModule, AccountsModule, ClickHouseModule, DynamicLinksModule, JournalModule, ProjectsModule],
  controllers: [StatisticsController, StoreFunnelController, RecordedClicksController],
  providers: [
    RecordedClicksService,
    StatisticsService,
    PgAppStatisticsRepository,
    PgFilteredLinkRepository,
    PgGroupNameRepository,
    PgLinkValueRepository,
    PgStoreFunnelRepository,
    StoreFunnelService,
    ofStore(RecordedClickRepository, ClickHouseRecordedClickRepository, PgRecordedClickRepository),
    ofStore(StatisticsRepository, ClickHouseStatisticsRepository, PgStatisticsRepository),
  ],
  exports: [PgAppStatisticsRepository, PgFilteredLinkRepository, PgGroupNameRepository, StatisticsService],
})
export class ClickReadsModule {}
