import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';
import { TagPurge } from './tag-purge';
import { TagRepository } from './tag.repository';
import { TagSchema } from './tag.schema';
import { TagsController } from './tags.controller';
import { TagsService } from './tags.service';
import { TypeormTagRepository } from './typeorm-tag.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([TagSchema]), IdempotencyModule],
  controllers: [TagsController],
  providers: [
    TagsService,
    { provide: TagRepository, useClass: TypeormTagRepository },
    PgTagsOfLinksRepository,
    provide(
      TagPurge,
      [PgTagsOfLinksRepository, Log, BackgroundJobs],
      (tags, log, jobs) =>
        new TagPurge(
          tags,
          (error) => log.warn(`the purge of retired tags goes on later: ${(error as Error).message}`),
          jobs,
        ),
    ),
  ],
  exports: [PgTagsOfLinksRepository],
})
export class TagsModule {}
