import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { JobQueue } from '../../platform/postgres/job-queue';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { ImportQueue } from './import-queue';
import { sliceMs } from './import-runner.service';

/** The wait after a slice that has failed. */
const pauseSeconds = 1;

/** The numbers of the order begin here, because they have 32 bits. */
const firstSecond = Date.UTC(2026, 0) / 1000;

@Injectable()
export class PgImportQueue extends ImportQueue {
  readonly #jobs: JobQueue<{ importId: string }>;

  constructor(
    pool: AdaptivePool,
    private readonly context: TransactionContext,
    private readonly log: Log,
  ) {
    super();
    this.#jobs = new JobQueue('imports', pool, context, log);
  }

  start(work: (importId: string) => Promise<boolean>): void {
    this.#jobs.start(async ({ importId }) => {
      try {
        // The next slice is sent before this one ends, so that no import is without a job.
        if (await work(importId)) await this.context.run(() => this.send(importId));
      } catch (error) {
        // The queue would give a failed job its old place, so that two imports that fail again and again would hold up all others.
        await this.context.run(() => this.#send(importId, pauseSeconds));
        this.log.warn(`an import goes on later: ${importId}: ${(error as Error).message}`);
      }
    });
  }

  send(importId: string): Promise<void> {
    return this.#send(importId, 0);
  }

  wake(): void {
    this.#jobs.wake();
  }

  async stop(): Promise<void> {
    await this.#jobs.stop();
  }

  async #send(importId: string, afterSeconds: number): Promise<void> {
    await this.#jobs.send(importId, { importId }, await this.#orderOf(importId), afterSeconds);
  }

  /**
   * Returns when the slice would be over if the imports of its account shared one process. So an account has the same part of the
   * slices with many imports as with one.
   */
  async #orderOf(importId: string): Promise<number> {
    const [row] = await this.context.read<{ order: number }>(
      `SELECT (extract(epoch FROM now()) - $2 + $3 * greatest(count(*), 1))::int AS order
       FROM imports JOIN projects ON projects.id = imports.project_id
       WHERE imports.state IN ('checking', 'running') AND imports.deleted_at IS NULL AND projects.account_id = (
         SELECT account_id FROM imports AS this JOIN projects ON projects.id = this.project_id WHERE this.id = $1
       )`,
      [importId, firstSecond, sliceMs / 1000],
    );
    return row!.order;
  }
}
