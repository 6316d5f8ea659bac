import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { ParallelShutdown } from '../../api-kit/kit/parallel-shutdown';
import { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';
import { TagPurge } from './tag-purge';
import { TagRepository } from './tag.repository';
import { TagSchema } from './tag.schema';
import { TagsController } from './tags.controller';
import { TagsOfLinksRepository } from './tags-of-links.repository';
import { TagsService } from './tags.service';
import { TypeormTagRepository } from './typeorm-tag.repository';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([TagSchema]), IdempotencyModule],
  controllers: [TagsController],
  providers: [
    TagsService,
    { provide: TagRepository, useClass: TypeormTagRepository },
    { provide: TagsOfLinksRepository, useClass: PgTagsOfLinksRepository },
    {
      provide: TagPurge,
      useFactory: (tags: TagsOfLinksRepository, log: Log, jobs: BackgroundJobs) =>
        new TagPurge(
          tags,
          (error) => log.warn(`the purge of retired tags goes on later: ${(error as Error).message}`),
          jobs,
        ),
      inject: [TagsOfLinksRepository, Log, BackgroundJobs],
    },
  ],
  exports: [TagsOfLinksRepository],
})
export class TagsModule extends ParallelShutdown {
  constructor(private readonly purge: TagPurge) {
    super();
  }

  protected stop(): Promise<void> {
    return this.purge.stop();
  }
}
