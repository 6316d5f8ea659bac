import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConcurrencyLimited } from '../../platform/rate-limit/rate-limit.errors';
import { ImportCounts } from '../model/import-processes';
import { sliceMs } from '../model/pg-import-queue';
import { isDatabaseUnavailable } from '../../api-kit/kit/long-requests';
import { ImportBatchService } from './import-batch.service';

/** Rows of a batch. It must end long before the time limit of a statement. Tests lower them. */
export const batchRows = { max: 100, min: 10 };

/** The pause after a batch, as a multiple of its duration, so that callers and visitors have most of the database. Tests lower it. */
export const batchPause = { factor: 2 };

const slowBatchMs = 500;

/** Time after which an import of a frozen or disabled account is tried again. */
const stoppedSeconds = 10;

/**
 * Failures of the same rows after which the next row is refused. The batch has one row by then, since seven attempts or more. Changes
 * of the project by other requests may have overtaken some.
 */
const maxFailures = 12;

@Injectable()
export class ImportRunnerService {
  #batchRows = batchRows.max;
  readonly #stopped = new AbortController();

  constructor(
    private readonly batch: ImportBatchService,
    private readonly counts: ImportCounts,
  ) {}

  stop(): void {
    this.#stopped.abort();
  }

  /**
   * Runs batches for some seconds. Returns the seconds until the next slice if the import has more rows, and null if it has none.
   *
   * Halves a batch that fails until one row is left, and refuses that row in the end. So no row holds the others up.
   * @throws ConcurrencyLimited if bulk requests of the project take too long, and errors of an unavailable database; the slice can be
   * repeated
   */
  async runSlice(importId: string): Promise<number | null> {
    const { signal } = this.#stopped;
    const endsAt = performance.now() + sliceMs;
    let failures = 0;
    let fault: unknown;
    while (!signal.aborted && (failures > 0 || performance.now() < endsAt)) {
      const startedAt = performance.now();
      try {
        const done = await (failures < maxFailures
          ? this.batch.run(importId, this.#batchRows)
          : this.batch.refuseNext(importId, fault));
        this.counts.rows += done?.rows ?? 0;
        if (!done?.hasMore) return null;
        if (done.mustWait) return stoppedSeconds;
        failures = 0;
        this.#adapt(performance.now() - startedAt);
      } catch (error) {
        // The rows have no part in it, and the operator has nothing to repair.
        if (error instanceof ConcurrencyLimited) throw error;
        this.#batchRows = Math.max(1, this.#batchRows >> 1);
        if (isDatabaseUnavailable(error) || failures === maxFailures) {
          this.counts.failures++;
          throw error;
        }
        failures++;
        fault = error;
      }
      await sleep(batchPause.factor * (performance.now() - startedAt), undefined, { ref: false, signal }).catch(
        () => {},
      );
    }
    return 0;
  }

  #adapt(ms: number): void {
    if (ms > slowBatchMs) this.#batchRows = Math.max(batchRows.min, this.#batchRows >> 1);
    else this.#batchRows = Math.min(batchRows.max, this.#batchRows + batchRows.min);
  }
}
