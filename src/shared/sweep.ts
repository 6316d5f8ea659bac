import { setTimeout as sleep } from 'node:timers/promises';
import { BackgroundJobs } from './background-jobs';
import { ParallelShutdown } from './parallel-shutdown';

const sweepIntervalMs = 30_000;

/** A task that runs each half minute unless it has another interval, and when a request asks for it, once at a time. An error ends the run; the next one continues. */
export abstract class Sweep extends ParallelShutdown {
  #stopped = false;
  #running: Promise<void> | undefined;
  #again = false;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    protected readonly onError: (error: unknown) => void,
    jobs = new BackgroundJobs(),
    intervalMs = sweepIntervalMs,
  ) {
    super();
    this.#timer = jobs.every(intervalMs, () => void this.sweep());
  }

  protected abstract work(): Promise<void>;

  /** Does everything that is there. A call during a run makes it look once more, because there may be more meanwhile. */
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

  /**
   * Does work in batches, and pauses as long as each took, so that PostgreSQL has time for requests.
   * @param doSome does a batch; returns true if nothing is left for this process
   */
  protected async inBatches(doSome: () => Promise<boolean>): Promise<void> {
    while (!this.#stopped) {
      const startedAt = performance.now();
      if (await doSome()) return;
      await sleep(performance.now() - startedAt, undefined, { ref: false });
    }
  }

  async #sweep(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        await this.work();
      }
    } catch (error) {
      this.onError(error);
    }
  }
}
