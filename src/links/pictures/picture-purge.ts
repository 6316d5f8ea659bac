import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { PgPictureRepository } from './pg-picture.repository';

const batchSize = 100;

/** Each look compares all pictures with the links of their projects. */
const lookIntervalMs = 60 * 60_000;

/** Removes pictures that no link has. */
export class PicturePurge extends Sweep {
  #lookedAt = -Infinity;

  constructor(
    private readonly pictures: PgPictureRepository,
    log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`the purge of pictures failed and will be retried: ${(error as Error).message}`), jobs);
  }

  protected async work(): Promise<void> {
    if (performance.now() - this.#lookedAt <= lookIntervalMs) return;
    await this.inBatches(() => this.pictures.retireSome(batchSize));
    this.#lookedAt = performance.now();
  }
}
