import { setTimeout as sleep } from 'node:timers/promises';
import { BackgroundJobs } from '../../shared/background-jobs';
import type { NewSearchEntries } from './new-search-entries';

/** A process creates up to 4,000 links per second, and the list of an index has space for 10,000. */
const moveIntervalMs = 1000;

/** A failed move is repeated later, because its reason may last. */
const retryMs = 10_000;

/** A longer move is left alone at a shutdown. PostgreSQL keeps what it has moved. */
const shutdownTimeoutMs = 5000;

/** Moves the new entries of search indexes every second, so that no request waits for it. Many processes may run it at once. */
export class NewSearchEntriesUpkeep {
  #running: Promise<void> | undefined;
  #nextAt = -Infinity;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly entries: NewSearchEntries,
    private readonly onError: (error: unknown) => void,
    jobs = new BackgroundJobs(),
  ) {
    this.#timer = jobs.every(moveIntervalMs, () => this.#onTimer());
  }

  /** Moves the entries once; concurrent calls share it. It never rejects, because the next sweep retries. */
  sweep(): Promise<void> {
    return (this.#running ??= this.entries
      .move()
      .catch((error: unknown) => {
        this.#nextAt = performance.now() + retryMs;
        this.onError(error);
      })
      .finally(() => (this.#running = undefined)));
  }

  /** Begins no more moves, and waits for 5 seconds at most. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.#running, sleep(shutdownTimeoutMs, undefined, { ref: false })]);
  }

  #onTimer(): void {
    if (performance.now() >= this.#nextAt) void this.sweep();
  }
}
