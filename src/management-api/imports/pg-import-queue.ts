import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { JobQueue } from '../../platform/postgres/job-queue';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { ImportQueue } from './import-queue';

@Injectable()
export class PgImportQueue extends ImportQueue {
  readonly #jobs: JobQueue<{ importId: string }>;

  constructor(
    pool: AdaptivePool,
    private readonly context: TransactionContext,
    log: Log,
  ) {
    super();
    this.#jobs = new JobQueue('imports', pool, context, log);
  }

  start(work: (importId: string) => Promise<boolean>): void {
    this.#jobs.start(async ({ importId }) => {
      // The next slice is sent before this one ends, so that no import is without a job.
      if (await work(importId)) await this.context.run(() => this.send(importId));
    });
  }

  send(importId: string): Promise<void> {
    return this.#jobs.send(importId, { importId });
  }

  wake(): void {
    this.#jobs.wake();
  }

  async stop(): Promise<void> {
    await this.#jobs.stop();
  }
}
