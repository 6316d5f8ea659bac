import { Module } from '@nestjs/common';
import { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { ClickHouseSettings } from '../../platform/clickhouse/clickhouse-settings';
import { ClickHouseModule } from '../../platform/clickhouse/clickhouse.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { ClickHouseStatisticsRepository } from './clickhouse-statistics.repository';
import { PgAppStatisticsRepository } from './pg-app-statistics.repository';
import { PgFilteredLinkRepository } from './pg-filtered-link.repository';
import { PgGroupNameRepository } from './pg-group-name.repository';
import { PgLinkParameterRepository } from './pg-link-parameter.repository';
import { PgLinkTagRepository } from './pg-link-tag.repository';
import { StatisticsController } from './statistics.controller';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';
import { PgStatisticsRepository } from './pg-statistics.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, ClickHouseModule, DynamicLinksModule],
  controllers: [StatisticsController],
  providers: [
    StatisticsService,
    PgAppStatisticsRepository,
    PgFilteredLinkRepository,
    PgGroupNameRepository,
    PgLinkParameterRepository,
    PgLinkTagRepository,
    provide(
      StatisticsRepository,
      [TransactionContext, PgLinkTagRepository, PgLinkParameterRepository, ClickHouse, ClickHouseSettings],
      (context, linkTags, linkParameters, clickHouse: ClickHouse | null, { mode }) =>
        clickHouse && mode !== 'write'
          ? new ClickHouseStatisticsRepository(clickHouse, linkTags, linkParameters)
          : new PgStatisticsRepository(context),
    ),
  ],
})
export class StatisticsModule {}
