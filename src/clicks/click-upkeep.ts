import type { Clock } from '../shared/clock';
import type { ClickRepository } from './click.repository';

/**
 * Clicks are rolled up when so many have come, in so many batches, or so long ago. Whoever reads statistics meanwhile adds up what
 * is fresh, which takes tenths of a second at most. The more come together, the fewer rows are changed: each link of which there are
 * some is six rows or more, however often it was opened.
 */
const mostFresh = { clicks: 1_000_000, batches: 1000, milliseconds: 5 * 60_000 };

/** Milliseconds between two looks whether it is time to roll up, and for deleted projects to purge. */
const sweepInterval = 5000;

/** Milliseconds between two looks at the months. */
const monthsInterval = 60 * 60_000;

/** Months that there is room for ahead. */
const monthsAhead = 2;

/** Batches a statement. Where they take too long, fewer are tried. */
const rolledUpTogether = 1000;

/** Rows a statement: a fraction of a second's work. */
const purgedTogether = 5000;

/** What is done to clicks after they are written. Any number of processes may do it at once. */
export class ClickUpkeep {
  #stopped = false;
  #rolledUpTogether = rolledUpTogether;
  readonly #running = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[];

  /** @param retention whole months that clicks are kept beside the current one */
  constructor(
    private readonly clicks: ClickRepository,
    private readonly retention: number,
    private readonly clock: Clock,
    private readonly onDropped: (partitions: string[]) => void,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#timers = [
      setInterval(() => void this.sweep(), sweepInterval).unref(),
      setInterval(() => void this.keepMonths(), monthsInterval).unref(),
    ];
  }

  /** Rolls up what is there, when it is time, and purges what belonged to deleted projects. */
  async sweep(): Promise<void> {
    await Promise.all([this.#alone('roll up', () => this.#rollUp()), this.#alone('purge', () => this.#purge())]);
  }

  /** Makes the months to come, and drops those that are over for long enough. */
  keepMonths(): Promise<void> {
    return this.#alone('months', async () => {
      const now = new Date(this.clock.now());
      const months = Array.from({ length: monthsAhead + 1 }, (_, ahead) => now.getUTCMonth() + ahead);
      await this.clicks.makePartitions(months.map((month) => Date.UTC(now.getUTCFullYear(), month)));
      const dropped = await this.clicks.dropPartitions(this.retention);
      if (dropped.length > 0) this.onDropped(dropped);
      await this.clicks.forgetWriters();
    });
  }

  /** The statements in hand are finished, no others are begun. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running.values());
  }

  /** Once at a time; whoever wants it meanwhile waits for the same. It never rejects: whatever failed is tried again. */
  #alone(what: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(what);
    if (running) return running;
    const started = work()
      .catch(this.onError)
      .finally(() => this.#running.delete(what));
    this.#running.set(what, started);
    return started;
  }

  async #rollUp(): Promise<void> {
    if (!(await this.clicks.isRollUpDue(mostFresh))) return;
    try {
      for (;;) {
        const asked = this.#rolledUpTogether;
        const done = this.#stopped ? 0 : await this.clicks.rollUp(asked);
        this.#rolledUpTogether = Math.min(rolledUpTogether, asked * 2);
        if (done < asked) return;
      }
    } catch (error) {
      this.#rolledUpTogether = Math.max(1, Math.floor(this.#rolledUpTogether / 2));
      throw error;
    }
  }

  async #purge(): Promise<void> {
    while (!this.#stopped && (await this.clicks.purgeSome(purgedTogether)));
  }
}
