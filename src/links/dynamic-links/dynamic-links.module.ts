import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { AppsModule } from '../apps/apps.module';
import { ApiKeysModule } from '../../tenancy/api-keys/api-keys.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { TagsModule } from '../tags/tags.module';
import { ReleaseGuardModule } from '../../link-paths/release-guard/release-guard.module';
import { DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinkPurge } from './dynamic-link-purge';
import { DynamicLinksController } from './dynamic-links.controller';
import { DynamicLinksService } from './dynamic-links.service';
import { ExternalIdLinksController } from './external-id-links.controller';
import { ExternalIdLinksService } from './external-id-links.service';
import { LinkLifeController } from './link-life.controller';
import { PgDynamicLinkRepository } from './pg-dynamic-link.repository';
import { PgLinkLifeRepository } from './pg-link-life.repository';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';

@Module({
  imports: [
    DatabaseModule,
    AccountsModule,
    ApiKeysModule,
    IdempotencyModule,
    AppsModule,
    TagsModule,
    ReleaseGuardModule,
  ],
  controllers: [DynamicLinksController, ExternalIdLinksController, LinkLifeController],
  providers: [
    DynamicLinksService,
    ExternalIdLinksService,
    { provide: DynamicLinkRepository, useClass: PgDynamicLinkRepository },
    PgLinkLifeRepository,
    provideClass(DynamicLinkPurge, [DynamicLinkRepository, Log, BackgroundJobs]),
  ],
  exports: [DynamicLinkPurge, DynamicLinkRepository, DynamicLinksService, PgLinkLifeRepository, ReleaseGuardModule],
})
export class DynamicLinksModule {}
