import { Module } from '@nestjs/common';
import { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { ClickHouseSettings } from '../../platform/clickhouse/clickhouse-settings';
import { ClickHouseModule } from '../../platform/clickhouse/clickhouse.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ClickHouseStatisticsRepository } from './clickhouse-statistics.repository';
import { GroupNameRepository } from './group-name.repository';
import { LinkTagRepository } from './link-tag.repository';
import { StatisticsController } from './statistics.controller';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';
import { TypeormLinkTagRepository } from './typeorm-link-tag.repository';
import { TypeormGroupNameRepository } from './typeorm-group-name.repository';
import { TypeormStatisticsRepository } from './typeorm-statistics.repository';

@Module({
  imports: [DatabaseModule, ClickHouseModule, DynamicLinksModule],
  controllers: [StatisticsController],
  providers: [
    StatisticsService,
    { provide: GroupNameRepository, useClass: TypeormGroupNameRepository },
    { provide: LinkTagRepository, useClass: TypeormLinkTagRepository },
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
          : new TypeormStatisticsRepository(context),
      inject: [TransactionContext, LinkTagRepository, ClickHouse, ClickHouseSettings],
    },
  ],
})
export class StatisticsModule {}
