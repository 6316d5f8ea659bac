import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { BatchPurge } from '../../shared/batch-purge';
import type { DynamicLinkRepository } from './dynamic-link.repository';

/** Short links per statement. Small, so that no row stays locked for long. */
const batchSize = 2000;

/** Removes the short links of deleted links that have many of them (docs/decisions/0006-large-deletions.md). */
export class DynamicLinkPurge extends BatchPurge {
  constructor(links: DynamicLinkRepository, log: Log, jobs: BackgroundJobs) {
    super(
      () => links.purgeSome(batchSize),
      (error) => log.warn(`the purge of deleted links failed and will be retried: ${(error as Error).message}`),
      jobs,
    );
  }
}
