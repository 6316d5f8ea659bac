import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../shared/id';
import type { Click } from './click';
import { batchOf, type ClickBatch } from './click-batch';
import type { ClickRepository } from './click.repository';

/** Milliseconds that a click may wait to be written, where nothing is wrong: what kill -9 costs. */
const writeInterval = 500;

/** Milliseconds until a batch that could not be written is tried again. */
const retryInterval = 1000;

/** Clicks that wait at most, while the database does not take them: some 20 MB. Further ones are dropped, and counted. */
const mostWaiting = 100_000;

/** Clicks written by one statement: a fraction of a second's work. */
const batchSize = 5000;

/** Milliseconds that are spent at the end on writing what waits, with a last try that may take as long again. */
const farewell = 5000;

interface Sent {
  number: number;
  clicks: ClickBatch;
  /** Clicks in it. */
  size: number;
}

/** Keeps the clicks of this process until they are written. Visitors never wait for it, nor fail with it. */
export class ClickRecorder {
  readonly #writer = newId();
  #waiting: Click[] = [];
  /** What is being written, until it is known to be: after a lost answer the same batch is sent again, and counts once. */
  #batch: Sent | null = null;
  #batches = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #recorded = 0;
  #dropped = 0;

  /**
   * @param onWritten there is something to roll up
   * @param capacity clicks that wait at most
   */
  constructor(
    private readonly clicks: ClickRepository,
    private readonly onWritten: () => void,
    private readonly onError: (error: unknown) => void,
    private readonly capacity = mostWaiting,
  ) {}

  /** For the metrics: clicks written since the start, clicks that wait to be, and clicks that there was no room for. */
  get counts(): { recorded: number; waiting: number; dropped: number } {
    return { recorded: this.#recorded, waiting: this.#waitingNow, dropped: this.#dropped };
  }

  record(click: Click): void {
    if (this.#waitingNow >= this.capacity) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(click);
    this.#writeIn(writeInterval);
  }

  /** Writes what waits, as long as it takes, but for some seconds at most. What is left then is lost, and counted as dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const giveUpAt = performance.now() + farewell;
    while (this.#waitingNow > 0 && performance.now() < giveUpAt) {
      await this.#write();
      if (this.#waitingNow > 0) await sleep(retryInterval / 4);
    }
    const lost = this.#waitingNow;
    if (lost === 0) return;
    this.#waiting = [];
    this.#batch = null;
    this.#dropped += lost;
    this.onError(new Error(`${lost} clicks are lost: the database did not take them before the process had to end`));
  }

  get #waitingNow(): number {
    return this.#waiting.length + (this.#batch?.size ?? 0);
  }

  #writeIn(milliseconds: number): void {
    if (!this.#stopped) this.#timer ??= setTimeout(() => this.#onTimer(), milliseconds).unref();
  }

  #onTimer(): void {
    this.#timer = undefined;
    void this.#write();
  }

  /** One at a time: batches are told apart by their order. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waitingNow > 0) {
        this.#batch ??= this.#nextBatch();
        await this.clicks.record(this.#writer, this.#batch.number, this.#batch.clicks);
        this.#recorded += this.#batch.size;
        this.#batch = null;
        this.onWritten();
      }
    } catch (error) {
      this.onError(error);
      // Visits that came meanwhile wanted it sooner.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writeIn(retryInterval);
    }
  }

  #nextBatch(): Sent {
    const clicks = this.#waiting.slice(0, batchSize);
    this.#waiting = this.#waiting.slice(clicks.length);
    return { number: ++this.#batches, clicks: batchOf(clicks), size: clicks.length };
  }
}
