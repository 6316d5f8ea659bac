import { setTimeout as sleep } from 'node:timers/promises';

const tickMs = 5;

/** A tick with a ping takes about 7 ms on a machine that has time. */
const maxCountedMs = 10;

/**
 * Measures time without the stalls of a busy machine, for promises in milliseconds. It ticks with a pause and a ping, and
 * counts at most 10 ms per tick. So it runs slower when this process or the one that answers waits for the processor.
 */
export class SteadyClock {
  #countedMs = 0;
  #stopped = false;
  readonly #ended: Promise<void>;

  /** @param ping a query or a request that takes about a millisecond */
  constructor(private readonly ping: () => Promise<unknown>) {
    this.#ended = this.#run();
  }

  readonly now = (): number => this.#countedMs;

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const startedAt = performance.now();
      await sleep(tickMs);
      await this.ping();
      this.#countedMs += Math.min(performance.now() - startedAt, maxCountedMs);
    }
  }
}

/** Returns the milliseconds that `work` takes by a `SteadyClock` with this ping. */
export async function steadyMsOf(work: () => Promise<unknown>, ping: () => Promise<unknown>): Promise<number> {
  const clock = new SteadyClock(ping);
  try {
    await work();
    return clock.now();
  } finally {
    await clock.stop();
  }
}
