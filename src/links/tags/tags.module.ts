import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';
import { TagPurge } from './tag-purge';
import { TagRepository } from './tag.repository';
import { TagSchema, TypeormTagRepository } from './typeorm-tag.repository';
import { TagsController } from './tags.controller';
import { TagsService } from './tags.service';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([TagSchema]), IdempotencyModule],
  controllers: [TagsController],
  providers: [
    TagsService,
    { provide: TagRepository, useClass: TypeormTagRepository },
    PgTagsOfLinksRepository,
    provideClass(TagPurge, [PgTagsOfLinksRepository, Log, BackgroundJobs]),
  ],
  exports: [PgTagsOfLinksRepository, TagRepository],
})
export class TagsModule {}
