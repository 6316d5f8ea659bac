import type { PgClickRepository } from './pg-click.repository';

/**
 * The limits of written clicks that are not rolled up. Statistics add them up at each read, in tenths of a second at most. A
 * larger roll-up changes fewer rows, because each opened link costs at least two rows.
 */
const maxFresh = { clicks: 200_000, batches: 1000, milliseconds: 5 * 60_000 };

const sweepIntervalMs = 5000;

const partitionIntervalMs = 60 * 60_000;

const monthsAhead = 2;

/** Clicks per roll-up. It is halved after a slow or failed roll-up, and doubled after a fast one. */
const rollUpSize = { min: 10_000, max: 200_000 };

/** Durations of a roll-up. Smaller ones cost more per click, so only very slow ones are divided. */
const [fastMs, slowMs] = [7000, 15_000];

/** Work that takes longer is left alone at a shutdown, because PostgreSQL completes it or rolls it back. */
const shutdownTimeoutMs = 5000;

const purgeSize = 5000;

/** Rolls up and purges written clicks, and creates and drops their partitions. Many processes may run it at once. */
export class ClickUpkeep {
  #stopped = false;
  #rollUpSize = rollUpSize.max;
  readonly #running = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[];

  constructor(
    private readonly clicks: PgClickRepository,
    private readonly retentionMonths: number,
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
      await this.clicks.createPartitionsAhead(monthsAhead);
      const dropped = await this.clicks.dropPartitions(this.retentionMonths);
      if (dropped.length > 0) this.onDropped(dropped);
      await this.clicks.deleteIdleWriters();
      while (!this.#stopped && !(await this.clicks.purgeAppEvents(this.retentionMonths, purgeSize)));
      while (!this.#stopped && !(await this.clicks.purgeConversions(this.retentionMonths, purgeSize)));
    });
  }

  /** Begins no more work, and waits for 5 seconds at most. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    const tooLong = new Promise((resolve) => setTimeout(resolve, shutdownTimeoutMs).unref());
    await Promise.race([Promise.all(this.#running.values()), tooLong]);
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
    while (!this.#stopped && (await this.clicks.isRollUpDue(maxFresh))) {
      const startedAt = performance.now();
      let failed = true;
      try {
        if ((await this.clicks.rollUp(this.#rollUpSize)) === 0) return;
        failed = false;
      } finally {
        this.#adaptRollUpSize(failed ? Infinity : performance.now() - startedAt);
      }
      while (!this.#stopped && (await this.clicks.mergeSome()));
    }
  }

  #adaptRollUpSize(tookMs: number): void {
    if (tookMs < fastMs) this.#rollUpSize = Math.min(rollUpSize.max, this.#rollUpSize * 2);
    if (tookMs > slowMs) this.#rollUpSize = Math.max(rollUpSize.min, Math.floor(this.#rollUpSize / 2));
  }

  async #purge(): Promise<void> {
    while (!this.#stopped && !(await this.clicks.purgeSome(purgeSize)));
  }
}
