import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';
import { TagPurge } from './tag-purge';
import { TypeormTagRepository } from './typeorm-tag.repository';
import { TagsController } from './tags.controller';
import { TagsService } from './tags.service';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, IdempotencyModule],
  controllers: [TagsController],
  providers: [
    TagsService,
    TypeormTagRepository,
    PgTagsOfLinksRepository,
    provideClass(TagPurge, [PgTagsOfLinksRepository, Log, BackgroundJobs]),
  ],
  exports: [PgTagsOfLinksRepository, TypeormTagRepository],
})
export class TagsModule {}
