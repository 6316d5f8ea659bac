import { setTimeout as sleep } from 'node:timers/promises';

const sweepIntervalMs = 30_000;

/**
 * Removes rows in batches that a request has marked. The next sweep of any process continues a purge that a crash interrupted.
 */
export class BatchPurge {
  #stopped = false;
  #running: Promise<void> | undefined;
  #again = false;
  readonly #timer: NodeJS.Timeout;

  /** @param purgeSome removes a batch; returns true if nothing is left for this process */
  constructor(
    private readonly purgeSome: () => Promise<boolean>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => void this.sweep(), sweepIntervalMs).unref();
  }

  /** Purges everything that is there. A call during a sweep makes it look once more, because there may be more meanwhile. */
  sweep(): Promise<void> {
    this.#again = true;
    return (this.#running ??= this.#sweep().finally(() => (this.#running = undefined)));
  }

  /** Waits for the current batch, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Pauses as long as the batch took, so that the purge leaves PostgreSQL time for requests. */
  async #purgeSome(): Promise<boolean> {
    const startedAt = performance.now();
    const isDone = await this.purgeSome();
    if (!isDone) await sleep(performance.now() - startedAt, undefined, { ref: false });
    return isDone;
  }

  async #sweep(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        while (!this.#stopped && !(await this.#purgeSome()));
      }
    } catch (error) {
      this.onError(error);
    }
  }
}
