import { Module } from '@nestjs/common';
import { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { ClickHouseModule } from '../../platform/clickhouse/clickhouse.module';
import { ClickHouseSettings } from '../../platform/clickhouse/clickhouse-settings';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { ClickHouseLinkClickRepository } from './clickhouse-link-click.repository';
import { LinkClickRepository } from './link-click.repository';
import { LinkListController } from './link-list.controller';
import { LinkListService } from './link-list.service';
import { PgLinkClickRepository } from './pg-link-click.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, ClickHouseModule, DynamicLinksModule],
  controllers: [LinkListController],
  providers: [
    LinkListService,
    provide(
      LinkClickRepository,
      [TransactionContext, ClickHouse, ClickHouseSettings],
      (context, clickHouse: ClickHouse | null, { mode }) =>
        clickHouse && mode !== 'write'
          ? new ClickHouseLinkClickRepository(clickHouse)
          : new PgLinkClickRepository(context),
    ),
  ],
})
export class LinkListsModule {}
