import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ApiKeysModule } from '../../tenancy/api-keys/api-keys.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { PgShortLinkRepository } from './pg-short-link.repository';
import { ShortLinksController } from './short-links.controller';
import { ShortLinksService } from './short-links.service';

@Module({
  imports: [DatabaseModule, ApiKeysModule, IdempotencyModule, DynamicLinksModule],
  controllers: [ShortLinksController],
  providers: [ShortLinksService, PgShortLinkRepository],
  exports: [ShortLinksService],
})
export class ShortLinksModule {}
