import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { AppsModule } from '../apps/apps.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { TagsModule } from '../tags/tags.module';
import { DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinkPurge } from './dynamic-link-purge';
import { DynamicLinkSchema } from './dynamic-link.schema';
import { DynamicLinksController } from './dynamic-links.controller';
import { DynamicLinksService } from './dynamic-links.service';
import { ExternalIdLinksController } from './external-id-links.controller';
import { PgDynamicLinkRepository } from './pg-dynamic-link.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [
    DatabaseModule,
    TypeOrmModule.forFeature([DynamicLinkSchema]),
    AccountsModule,
    IdempotencyModule,
    AppsModule,
    TagsModule,
  ],
  controllers: [DynamicLinksController, ExternalIdLinksController],
  providers: [
    DynamicLinksService,
    { provide: DynamicLinkRepository, useClass: PgDynamicLinkRepository },
    provide(
      DynamicLinkPurge,
      [DynamicLinkRepository, Log, BackgroundJobs],
      (links, log, jobs) =>
        new DynamicLinkPurge(
          links,
          (error) => log.warn(`the purge of deleted links goes on later: ${(error as Error).message}`),
          jobs,
        ),
    ),
  ],
  exports: [DynamicLinkPurge, DynamicLinkRepository, DynamicLinksService],
})
export class DynamicLinksModule {}
