import { setImmediate as endOfTurn } from 'node:timers/promises';
import { ConnectionHolder } from './connection-shares';
import { currentHolder, timeLeft, withDeadline } from './deadline';

interface Batch<T> {
  ids: Set<string>;
  timeLeftMs: number;
  found: Promise<ReadonlyMap<string, T>>;
}

/** A query that runs longer does not delay the next one. */
const slowQueryMs = 5;

/**
 * Batches key look-ups per event-loop turn. Each answer comes from a query sent after the look-up, so it is as fresh as a
 * separate query. Nothing is cached.
 */
export class BatchLoader<T> {
  readonly #batches = new Map<string | null, Batch<T>>();
  readonly #maxRunning: number;
  #running = 0;
  /** Lets the open batch be sent. No other one waits, because look-ups join the open batch. */
  #send: (() => void) | undefined;

  /**
   * @param findAll returns the values by their ids
   * @param options `perHolder` separates the look-ups of each account, so that their connections count for it. Otherwise a batch has
   * look-ups of several accounts and counts for none of them. `maxRunning` limits the queries at a time; while they run, the open batch
   * grows instead of being sent.
   */
  constructor(
    private readonly findAll: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
    private readonly options:
      { perHolder?: true; maxRunning?: undefined } | { perHolder?: never; maxRunning: number } = {},
  ) {
    this.#maxRunning = options.maxRunning ?? Infinity;
  }

  async find(id: string): Promise<T | null> {
    const key = (this.options.perHolder && currentHolder()?.key) ?? null;
    let batch = this.#batches.get(key);
    if (!batch) this.#batches.set(key, (batch = this.#begin(key)));
    batch.ids.add(id);
    batch.timeLeftMs = Math.min(batch.timeLeftMs, timeLeft());
    return (await batch.found).get(id) ?? null;
  }

  #begin(key: string | null): Batch<T> {
    const found = endOfTurn()
      .then(() => this.#untilSent())
      .then(() => {
        this.#batches.delete(key);
        const findAll = () => this.findAll([...batch.ids]);
        // Link traffic has no deadlines. On Node 20 the first use of a context slows the process down for good.
        if (batch.timeLeftMs === Infinity) return this.#run(findAll);
        // No single request of the batch holds the connection, because others need it after that one has gone.
        return this.#run(() =>
          withDeadline(batch.timeLeftMs, findAll, key === null ? null : new ConnectionHolder(key)),
        );
      });
    const batch: Batch<T> = { ids: new Set(), timeLeftMs: Infinity, found };
    return batch;
  }

  #untilSent(): Promise<void> | undefined {
    if (this.#running < this.#maxRunning) return undefined;
    return new Promise((resolve) => (this.#send = resolve));
  }

  #run(query: () => Promise<ReadonlyMap<string, T>>): Promise<ReadonlyMap<string, T>> {
    if (this.#maxRunning === Infinity) return query();
    this.#running++;
    let isCounted = true;
    const end = () => {
      if (!isCounted) return;
      isCounted = false;
      this.#running--;
      this.#send?.();
      this.#send = undefined;
    };
    const timer = setTimeout(end, slowQueryMs).unref();
    return query().finally(() => {
      clearTimeout(timer);
      end();
    });
  }
}
