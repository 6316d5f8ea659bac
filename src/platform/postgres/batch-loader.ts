import { setImmediate as endOfTurn } from 'node:timers/promises';
import { ConnectionHolder } from './connection-shares';
import { currentHolder, timeLeft, withDeadline } from './deadline';

interface Batch<T> {
  ids: Set<string>;
  timeLeftMs: number;
  found: Promise<ReadonlyMap<string, T>>;
}

/**
 * Batches key look-ups per event-loop turn. Each answer comes from a query sent after the look-up, so it is as fresh as a
 * separate query. Nothing is cached.
 */
export class BatchLoader<T> {
  readonly #batches = new Map<string | null, Batch<T>>();

  /**
   * @param findAll returns the values by their ids
   * @param options `perHolder` separates the look-ups of each account, so that their connections count for it. Otherwise a batch has
   * look-ups of several accounts and counts for none of them.
   */
  constructor(
    private readonly findAll: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
    private readonly options: { perHolder?: true } = {},
  ) {}

  async find(id: string): Promise<T | null> {
    const key = (this.options.perHolder && currentHolder()?.key) ?? null;
    let batch = this.#batches.get(key);
    if (!batch) this.#batches.set(key, (batch = this.#begin(key)));
    batch.ids.add(id);
    batch.timeLeftMs = Math.min(batch.timeLeftMs, timeLeft());
    return (await batch.found).get(id) ?? null;
  }

  #begin(key: string | null): Batch<T> {
    const found = endOfTurn().then(() => {
      this.#batches.delete(key);
      const findAll = () => this.findAll([...batch.ids]);
      // Link traffic has no deadlines. On Node 20 the first use of a context slows the process down for good.
      if (batch.timeLeftMs === Infinity) return findAll();
      // No single request of the batch holds the connection, because others need it after that one has gone.
      return withDeadline(batch.timeLeftMs, findAll, key === null ? null : new ConnectionHolder(key));
    });
    const batch: Batch<T> = { ids: new Set(), timeLeftMs: Infinity, found };
    return batch;
  }
}
