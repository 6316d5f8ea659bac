import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { PgPictureRepository } from './pg-picture.repository';
import { type PictureStore, PictureStoreUnavailable } from './picture-store';

const batchSize = 100;

/** Each look compares all pictures with the links of their projects. */
const lookIntervalMs = 60 * 60_000;

/** Removes pictures that no link has, and the objects of deleted ones. */
export class PicturePurge extends Sweep {
  #lookedAt = -Infinity;

  constructor(
    private readonly pictures: PgPictureRepository,
    private readonly store: PictureStore | null,
    private readonly log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`the purge of pictures failed and will be retried: ${(error as Error).message}`), jobs);
  }

  protected async work(): Promise<void> {
    if (performance.now() - this.#lookedAt > lookIntervalMs) {
      await this.inBatches(() => this.pictures.retireSome(batchSize));
      this.#lookedAt = performance.now();
    }
    const { store } = this;
    if (store) await this.inBatches(() => this.#removeObjects(store));
  }

  /** Removes a batch of objects, and those that the store refuses later. Returns true if no others are due. */
  async #removeObjects(store: PictureStore): Promise<boolean> {
    const ids = await this.pictures.removals(batchSize);
    for (const id of ids)
      try {
        await store.remove(id);
        await this.pictures.forgetRemoval(id);
      } catch (error) {
        if (!(error instanceof PictureStoreUnavailable)) throw error;
        this.log.warn(`picture ${id} is not removed and will be retried: ${String(error.cause)}`);
        await this.pictures.postponeRemoval(id);
      }
    return ids.length < batchSize;
  }
}
