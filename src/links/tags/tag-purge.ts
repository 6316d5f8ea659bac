import type { BackgroundJobs } from '../../shared/background-jobs';
import { BatchPurge } from '../../shared/batch-purge';
import type { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';

/** Links per statement. Small, because each changes in all indexes of links. */
const batchSize = 500;

/** Removes retired tags from links. */
export class TagPurge extends BatchPurge {
  constructor(
    tags: Pick<PgTagsOfLinksRepository, 'purgeSome'>,
    onError: (error: unknown) => void,
    jobs?: BackgroundJobs,
  ) {
    super(() => tags.purgeSome(batchSize), onError, jobs);
  }
}
