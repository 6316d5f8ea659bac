import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { PgPictureRepository } from './pg-picture.repository';
import type { PictureStore } from './picture-store';

const batchSize = 100;

/** Each look compares all pictures with the links of their projects. */
const lookIntervalMs = 60 * 60_000;

/** Removes pictures that no link has, and the bytes of deleted ones. */
export class PicturePurge extends Sweep {
  #lookedAt = -Infinity;

  constructor(
    private readonly pictures: PgPictureRepository,
    private readonly store: PictureStore,
    log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`the purge of pictures failed and will be retried: ${(error as Error).message}`), jobs);
  }

  protected async work(): Promise<void> {
    if (performance.now() - this.#lookedAt > lookIntervalMs) {
      await this.inBatches(() => this.pictures.retireSome(batchSize));
      this.#lookedAt = performance.now();
    }
    await this.inBatches(async () => {
      const ids = await this.pictures.removals(batchSize);
      for (const id of ids) await this.store.remove(id);
      if (ids.length > 0) await this.pictures.forgetRemovals(ids);
      return ids.length < batchSize;
    });
  }
}
