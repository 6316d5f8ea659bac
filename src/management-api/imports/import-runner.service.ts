import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isAboutContent } from '../kit/long-requests';
import { ImportBatch, LinkHasGone } from './import-batch.service';
import { pauseFactor } from './import-turns';

/** Rows of a batch. It must end long before the time limit of a statement. Tests lower them. */
export const batchRows = { max: 100, min: 10 };

/** The time of a job. The queue gives a longer one to another process (`JobQueue`). */
const sliceMs = 2000;

/** A batch that takes longer is divided. */
const slowBatchMs = 500;

/** Attempts at a batch that a change of the project has overtaken. */
const maxOvertaken = 5;

/**
 * Runs batches of imports. It pauses twice as long as each batch took, so that callers and visitors have most of a processor and of
 * the database.
 */
@Injectable()
export class ImportRunner {
  /** Rows that were done, and slices that failed, for metrics. */
  readonly counts = { rows: 0, failures: 0 };
  #batchRows = batchRows.max;
  #stopped = false;

  constructor(private readonly batch: ImportBatch) {}

  /** Lets the current batch be the last one. */
  stop(): void {
    this.#stopped = true;
  }

  /** Runs batches for some seconds. Returns whether the import has more rows. */
  async runSlice(importId: string): Promise<boolean> {
    const endsAt = performance.now() + sliceMs;
    for (let overtaken = 0; !this.#stopped && performance.now() < endsAt;) {
      const startedAt = performance.now();
      try {
        const done = await this.batch.run(importId, this.#batchRows);
        this.counts.rows += done?.rows ?? 0;
        if (!done?.hasMore) return false;
        overtaken = 0;
        this.#adapt(performance.now() - startedAt);
      } catch (error) {
        this.#batchRows = Math.max(batchRows.min, this.#batchRows >> 1);
        if (isOvertaken(error) && ++overtaken < maxOvertaken) continue;
        this.counts.failures++;
        throw error;
      }
      await sleep(pauseFactor * (performance.now() - startedAt), undefined, { ref: false });
    }
    return true;
  }

  #adapt(ms: number): void {
    if (ms > slowBatchMs) this.#batchRows = Math.max(batchRows.min, this.#batchRows >> 1);
    else this.#batchRows = Math.min(batchRows.max, this.#batchRows + batchRows.min);
  }
}

/** Returns whether another request has created or deleted a link, a tag or an app since the batch has looked. */
const isOvertaken = (error: unknown): boolean => error instanceof LinkHasGone || isAboutContent(error);
