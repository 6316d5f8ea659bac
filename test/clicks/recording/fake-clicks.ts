import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickBatch } from '../../../src/clicks/recording/click-batch';
import type { PgClickRepository } from '../../../src/clicks/recording/pg-click.repository';

/** Implements in memory the part of the port that the recorder needs. Its writes can be delayed, or lose their answer. */
export class FakeClicks implements Pick<PgClickRepository, 'record'> {
  readonly sent: { writer: string; number: number; batch: ClickBatch }[] = [];
  readonly #lastNumbers = new Map<string, number>();
  /** The clicks of all batches, each batch once. */
  written = 0;
  refusing = false;
  /** Resolves a write that is under way. */
  hold: Promise<void> | null = null;
  takesMs = 0;

  async record(writer: string, number: number, batch: ClickBatch): Promise<void> {
    this.sent.push({ writer, number, batch });
    if (number > (this.#lastNumbers.get(writer) ?? 0)) {
      this.#lastNumbers.set(writer, number);
      this.written += batch.size;
    }
    await this.hold;
    await sleep(this.takesMs);
    if (this.refusing) throw new Error('the answer was lost');
  }
}
