import { Module } from '@nestjs/common';
import { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { ClickHouseSettings } from '../../platform/clickhouse/clickhouse-settings';
import { ClickHouseModule } from '../../platform/clickhouse/clickhouse.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { ClickHouseStatisticsRepository } from './clickhouse-statistics.repository';
import { GroupNameRepository } from './group-name.repository';
import { LinkTagRepository } from './link-tag.repository';
import { StatisticsController } from './statistics.controller';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';
import { PgLinkTagRepository } from './pg-link-tag.repository';
import { PgGroupNameRepository } from './pg-group-name.repository';
import { PgStatisticsRepository } from './pg-statistics.repository';

@Module({
  imports: [DatabaseModule, ClickHouseModule, DynamicLinksModule],
  controllers: [StatisticsController],
  providers: [
    StatisticsService,
    { provide: GroupNameRepository, useClass: PgGroupNameRepository },
    { provide: LinkTagRepository, useClass: PgLinkTagRepository },
    {
      provide: StatisticsRepository,
      useFactory: (
        context: TransactionContext,
        linkTags: LinkTagRepository,
        clickHouse: ClickHouse | null,
        { mode }: ClickHouseSettings,
      ) =>
        clickHouse && mode !== 'write'
          ? new ClickHouseStatisticsRepository(clickHouse, linkTags)
          : new PgStatisticsRepository(context),
      inject: [TransactionContext, LinkTagRepository, ClickHouse, ClickHouseSettings],
    },
  ],
})
export class StatisticsModule {}
