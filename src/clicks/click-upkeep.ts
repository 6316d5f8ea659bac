import type { Clock } from '../shared/clock';
import type { ClickRepository } from './click.repository';

/**
 * The limits of written clicks that are not rolled up. Statistics add them up at each read, in tenths of a second at most. A
 * larger roll-up changes fewer rows, because each opened link costs six rows or more.
 */
const maxFresh = { clicks: 200_000, batches: 1000, milliseconds: 5 * 60_000 };

const sweepIntervalMs = 5000;

const partitionIntervalMs = 60 * 60_000;

const monthsAhead = 2;

/** Batches per statement. A statement that fails is retried with fewer. */
const maxRollUpSize = 1000;

const purgeSize = 5000;

/** Rolls up and purges written clicks, and creates and drops their partitions. Many processes may run it at once. */
export class ClickUpkeep {
  #stopped = false;
  #rollUpSize = maxRollUpSize;
  readonly #running = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[];

  constructor(
    private readonly clicks: ClickRepository,
    private readonly retentionMonths: number,
    private readonly clock: Clock,
    private readonly onDropped: (partitions: string[]) => void,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#timers = [
      setInterval(() => void this.sweep(), sweepIntervalMs).unref(),
      setInterval(() => void this.maintainPartitions(), partitionIntervalMs).unref(),
    ];
  }

  async sweep(): Promise<void> {
    await Promise.all([this.#runOnce('roll up', () => this.#rollUp()), this.#runOnce('purge', () => this.#purge())]);
  }

  maintainPartitions(): Promise<void> {
    return this.#runOnce('partitions', async () => {
      const now = new Date(this.clock.now());
      const months = Array.from({ length: monthsAhead + 1 }, (_, ahead) => now.getUTCMonth() + ahead);
      await this.clicks.createPartitions(months.map((month) => Date.UTC(now.getUTCFullYear(), month)));
      const dropped = await this.clicks.dropPartitions(this.retentionMonths);
      if (dropped.length > 0) this.onDropped(dropped);
      await this.clicks.deleteIdleWriters();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running.values());
  }

  /** Runs work once at a time; concurrent calls share it. It never rejects, because the next interval retries. */
  #runOnce(name: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(name);
    if (running) return running;
    const started = work()
      .catch(this.onError)
      .finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }

  async #rollUp(): Promise<void> {
    if (!(await this.clicks.isRollUpDue(maxFresh))) return;
    try {
      for (;;) {
        const requested = this.#rollUpSize;
        const done = this.#stopped ? 0 : await this.clicks.rollUp(requested);
        this.#rollUpSize = Math.min(maxRollUpSize, requested * 2);
        if (done < requested) return;
      }
    } catch (error) {
      this.#rollUpSize = Math.max(1, Math.floor(this.#rollUpSize / 2));
      throw error;
    }
  }

  async #purge(): Promise<void> {
    while (!this.#stopped && (await this.clicks.purgeSome(purgeSize)));
  }
}
