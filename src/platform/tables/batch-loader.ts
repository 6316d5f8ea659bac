import { type BatchOptions, BatchQueue } from './batch-queue';

/**
 * Batches key look-ups per event-loop turn. Each answer comes from a query sent after the look-up, so it is as fresh as a
 * separate query. Nothing is cached.
 */
export class BatchLoader<T> {
  readonly #queue: BatchQueue<string, ReadonlyMap<string, T>>;

  /**
   * @param findAll returns the values by their ids
   * @param options with `perTenant`, a batch counts for the account of its look-ups; without, it counts for none
   */
  constructor(findAll: (ids: string[]) => Promise<ReadonlyMap<string, T>>, options?: BatchOptions) {
    this.#queue = new BatchQueue((ids) => findAll([...new Set(ids)]), options);
  }

  find(id: string): Promise<T | null> {
    return this.#queue.add(id).then((values) => values.get(id) ?? null);
  }
}
