import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../shared/id';
import type { Click } from './click';
import { ClickBatch } from './click-batch';
import type { PgClickRepository } from './pg-click.repository';
import { DistinctNames } from './distinct-names';

/** Pause before waiting clicks are written, in milliseconds. Tests shorten it, because they wait for each write. */
export const clickWrites = { pauseMs: 500 };

const retryIntervalMs = 1000;

/** Some 20 MB. Further clicks are dropped and counted. */
const maxWaitingClicks = 100_000;

const batchSize = 5000;

const defaultShutdownTimeoutMs = 5000;

interface Sent {
  number: number;
  clicks: ClickBatch;
}

/** Buffers clicks until they are written. Visitors neither wait for it nor fail with it. */
export class ClickRecorder {
  readonly #writer = newId();
  readonly #referrers = new DistinctNames();
  #waiting: ClickBatch[] = [];
  #waitingClicks = 0;
  /** The batch being written. After a lost answer the same batch is sent again and counts once. */
  #batch: Sent | null = null;
  #batches = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** When the shutdown no longer waits for writes. */
  #giveUpAt = Infinity;
  #recorded = 0;
  #dropped = 0;

  constructor(
    private readonly clicks: PgClickRepository,
    private readonly onError: (error: unknown) => void,
    private readonly capacity = maxWaitingClicks,
    private readonly shutdownTimeoutMs = defaultShutdownTimeoutMs,
  ) {}

  get counts(): { recorded: number; waiting: number; dropped: number } {
    return { recorded: this.#recorded, waiting: this.#waitingClicks, dropped: this.#dropped };
  }

  record(click: Click): void {
    if (this.#waitingClicks >= this.capacity) {
      this.#dropped++;
      return;
    }
    this.#waitingClicks++;
    this.#lastBatch().add(click);
    this.#writeIn(clickWrites.pauseMs);
  }

  /** Writes all waiting clicks, for `shutdownTimeoutMs` at most. The rest is lost and counted as dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#giveUpAt = performance.now() + this.shutdownTimeoutMs;
    const timer = new AbortController();
    const timeIsUp = sleep(this.shutdownTimeoutMs, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([this.#writeRest(), timeIsUp]);
    timer.abort();
    const lost = this.#waitingClicks;
    if (lost === 0) return;
    this.#waiting = [];
    this.#waitingClicks = 0;
    this.#batch = null;
    this.#dropped += lost;
    this.onError(new Error(`${lost} clicks are lost: the database did not accept them before the shutdown ended`));
  }

  async #writeRest(): Promise<void> {
    while (this.#waitingClicks > 0 && performance.now() < this.#giveUpAt) {
      await this.#write();
      if (this.#waitingClicks > 0) await sleep(retryIntervalMs / 4);
    }
  }

  #lastBatch(): ClickBatch {
    const last = this.#waiting.at(-1);
    if (last && !last.isFull) return last;
    last?.seal();
    const batch = new ClickBatch(batchSize, this.#referrers);
    this.#waiting.push(batch);
    return batch;
  }

  #writeIn(milliseconds: number): void {
    if (!this.#stopped) this.#timer ??= setTimeout(() => this.#onTimer(), milliseconds).unref();
  }

  #onTimer(): void {
    this.#timer = undefined;
    void this.#write();
  }

  /** Writes one batch at a time, because the database identifies batches by their order. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      // Clicks that arrive meanwhile wait for the next interval. A busy process would otherwise write endless small batches.
      for (let due = this.#waiting.length + (this.#batch ? 1 : 0); due > 0; due--) {
        if (performance.now() >= this.#giveUpAt) return;
        const sent = (this.#batch ??= this.#nextBatch());
        const { number, clicks } = sent;
        await this.clicks.record(this.#writer, number, clicks);
        // The shutdown may have counted the batch as dropped.
        if (this.#batch !== sent) return;
        this.#recorded += clicks.size;
        this.#waitingClicks -= clicks.size;
        this.#batch = null;
      }
      if (this.#waitingClicks > 0) this.#writeIn(clickWrites.pauseMs);
    } catch (error) {
      this.onError(error);
      // A click that arrived meanwhile has set a shorter timer.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writeIn(retryIntervalMs);
    }
  }

  #nextBatch(): Sent {
    const clicks = this.#waiting.shift()!;
    clicks.seal();
    return { number: ++this.#batches, clicks };
  }
}
