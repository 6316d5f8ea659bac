import { setImmediate as endOfTurn } from 'node:timers/promises';
import { timeLeft, withDeadline } from './deadline';

interface Batch<T> {
  ids: Set<string>;
  /** Milliseconds, of the request that has the least. */
  timeLeft: number;
  found: Promise<ReadonlyMap<string, T>>;
}

/**
 * Sends look-ups by id, or another key, that are asked for in the same turn of the event loop as one query. Each is answered by a query that
 * was sent after it was asked, so nothing is older than it would be alone, and nothing is kept.
 */
export class BatchLoader<T> {
  #batch: Batch<T> | null = null;

  /** @param findAll what there is of these ids, each named once */
  constructor(private readonly findAll: (ids: string[]) => Promise<ReadonlyMap<string, T>>) {}

  /** Null where there is none of that id. */
  async find(id: string): Promise<T | null> {
    const batch = (this.#batch ??= this.#begin());
    batch.ids.add(id);
    batch.timeLeft = Math.min(batch.timeLeft, timeLeft());
    return (await batch.found).get(id) ?? null;
  }

  #begin(): Batch<T> {
    const found = endOfTurn().then(() => {
      this.#batch = null;
      const ask = () => this.findAll([...batch.ids]);
      return batch.timeLeft === Infinity ? ask() : withDeadline(batch.timeLeft, ask);
    });
    const batch: Batch<T> = { ids: new Set(), timeLeft: Infinity, found };
    return batch;
  }
}
