import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import type { PgRareReleases } from './pg-rare-releases';

const intervalMs = 60 * 60_000;

/** Retires releases that few people open any more, each hour. Several processes may do it at once. */
export class ReleaseRetirement {
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly releases: PgRareReleases,
    private readonly log: Log,
    jobs: BackgroundJobs,
  ) {
    this.#timer = jobs.every(intervalMs, () => void this.retire());
  }

  async retire(): Promise<void> {
    try {
      await this.releases.retire();
    } catch (error) {
      this.log.warn(`rare releases are retired later: ${(error as Error).message}`);
    }
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.#timer);
  }
}
