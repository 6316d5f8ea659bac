import { setImmediate as endOfTurn } from 'node:timers/promises';
import { timeLeft, withDeadline } from './deadline';

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
  #batch: Batch<T> | null = null;

  constructor(private readonly findAll: (ids: string[]) => Promise<ReadonlyMap<string, T>>) {}

  async find(id: string): Promise<T | null> {
    const batch = (this.#batch ??= this.#begin());
    batch.ids.add(id);
    batch.timeLeftMs = Math.min(batch.timeLeftMs, timeLeft());
    return (await batch.found).get(id) ?? null;
  }

  #begin(): Batch<T> {
    const found = endOfTurn().then(() => {
      this.#batch = null;
      const findAll = () => this.findAll([...batch.ids]);
      // Link traffic has no deadlines. On Node 20 the first use of a context slows the process down for good.
      if (batch.timeLeftMs === Infinity) return findAll();
      // The batch has requests of several accounts, so it counts for none of them.
      return withDeadline(batch.timeLeftMs, findAll, null);
    });
    const batch: Batch<T> = { ids: new Set(), timeLeftMs: Infinity, found };
    return batch;
  }
}
