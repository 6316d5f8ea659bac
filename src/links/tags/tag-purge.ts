import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { BatchPurge } from '../../shared/batch-purge';
import type { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';

/** Links per statement. Small, because each changes in all indexes of links. */
const batchSize = 500;

export class TagPurge extends BatchPurge {
  constructor(tags: PgTagsOfLinksRepository, log: Log, jobs: BackgroundJobs) {
    super(
      () => tags.purgeSome(batchSize),
      (error) => log.warn(`the purge of retired tags failed and will be retried: ${(error as Error).message}`),
      jobs,
    );
  }
}
