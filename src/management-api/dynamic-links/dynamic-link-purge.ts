import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamicLinkRepository } from './dynamic-link.repository';

/** Short links per statement. Small, so that no row stays locked for long. */
const batchSize = 2000;

const sweepIntervalMs = 30_000;

/**
 * Removes the short links of deleted links that have many of them (docs/decisions/0032-large-deletions.md). The next sweep of any
 * process continues a purge that a crash interrupted.
 */
export class DynamicLinkPurge {
  #stopped = false;
  #running: Promise<void> | undefined;
  #again = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly links: Pick<DynamicLinkRepository, 'purgeSome'>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => void this.sweep(), sweepIntervalMs).unref();
  }

  /** Purges all deleted links. A call during a sweep makes it look once more, because a link may have been deleted meanwhile. */
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
    const isDone = await this.links.purgeSome(batchSize);
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
