import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../shared/id';
import type { Click } from './click';
import { ClickBatch } from './click-batch';
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
}

/** Keeps the clicks of this process until they are written. Visitors never wait for it, nor fail with it. */
export class ClickRecorder {
  readonly #writer = newId();
  /** All but the last are full. */
  #waiting: ClickBatch[] = [];
  #waitingClicks = 0;
  /** What is being written, until it is known to be: after a lost answer the same batch is sent again, and counts once. */
  #batch: Sent | null = null;
  #batches = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #recorded = 0;
  #dropped = 0;

  /** @param capacity clicks that wait at most */
  constructor(
    private readonly clicks: ClickRepository,
    private readonly onError: (error: unknown) => void,
    private readonly capacity = mostWaiting,
  ) {}

  /** For the metrics: clicks written since the start, clicks that wait to be, and clicks that there was no room for. */
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
    this.#writeIn(writeInterval);
  }

  /** Writes what waits, as long as it takes, but for some seconds at most. What is left then is lost, and counted as dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const giveUpAt = performance.now() + farewell;
    while (this.#waitingClicks > 0 && performance.now() < giveUpAt) {
      await this.#write();
      if (this.#waitingClicks > 0) await sleep(retryInterval / 4);
    }
    const lost = this.#waitingClicks;
    if (lost === 0) return;
    this.#waiting = [];
    this.#waitingClicks = 0;
    this.#batch = null;
    this.#dropped += lost;
    this.onError(new Error(`${lost} clicks are lost: the database did not take them before the process had to end`));
  }

  #lastBatch(): ClickBatch {
    const last = this.#waiting.at(-1);
    if (last && !last.isFull) return last;
    last?.seal();
    const batch = new ClickBatch(batchSize);
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

  /** One at a time: batches are told apart by their order. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      // What comes meanwhile waits for the next time: on a busy process there would be no end of small batches.
      for (let due = this.#waiting.length + (this.#batch ? 1 : 0); due > 0; due--) {
        const { number, clicks } = (this.#batch ??= this.#nextBatch());
        await this.clicks.record(this.#writer, number, clicks);
        this.#recorded += clicks.size;
        this.#waitingClicks -= clicks.size;
        this.#batch = null;
      }
      if (this.#waitingClicks > 0) this.#writeIn(writeInterval);
    } catch (error) {
      this.onError(error);
      // Visits that came meanwhile wanted it sooner.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writeIn(retryInterval);
    }
  }

  #nextBatch(): Sent {
    const clicks = this.#waiting.shift()!;
    clicks.seal();
    return { number: ++this.#batches, clicks };
  }
}
