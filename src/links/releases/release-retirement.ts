import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { PgRareReleases } from './pg-rare-releases';

const intervalMs = 60 * 60_000;

/** Retires releases that few people open any more, each hour. Several processes may do it at once. */
export class ReleaseRetirement extends Sweep {
  constructor(
    private readonly releases: PgRareReleases,
    log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`rare releases are retired later: ${(error as Error).message}`), jobs, intervalMs);
  }

  protected work(): Promise<void> {
    return this.releases.retire();
  }
}
