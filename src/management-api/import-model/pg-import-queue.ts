import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { outsideRequests } from '../../platform/postgres/deadline';
import { JobQueue } from '../../platform/postgres/job-queue';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { ImportProcesses, ImportQueue, type ImportWork } from './import-queue';

/** Duration of a job. The queue gives one that takes much longer to another process (`JobQueue`). */
export const sliceMs = 2000;

/** Lists that a process reads at once. Each has one connection, and one answer in memory. */
export const maxLists = 4;

/** The wait after a part that has failed. */
const pauseSeconds = 1;

/** The numbers of the order begin here, because they have 32 bits. */
const firstSecond = Date.UTC(2026, 0) / 1000;

@Injectable()
export class PgImportQueue extends ImportQueue {
  readonly #slices: JobQueue<{ importId: string }>;
  readonly #lists: JobQueue<{ importId: string }>;

  constructor(
    pool: AdaptivePool,
    private readonly context: TransactionContext,
    private readonly log: Log,
    private readonly processes: ImportProcesses,
  ) {
    super();
    this.#slices = new JobQueue('imports', pool, context, log);
    this.#lists = new JobQueue('import_lists', pool, context, log, maxLists);
  }

  start(work: ImportWork): void {
    // The next part is sent before this one ends, so that no import is without a job.
    const run = async (
      jobs: JobQueue<{ importId: string }>,
      importId: string,
      part: () => Promise<number | null>,
    ): Promise<void> => {
      try {
        const afterSeconds = await part();
        if (afterSeconds !== null) await this.context.run(() => this.#send(jobs, importId, afterSeconds));
      } catch (error) {
        // The queue would give a failed job its former place, so that two imports that fail repeatedly would block all others.
        await this.context.run(() => this.#send(jobs, importId, pauseSeconds));
        this.log.warn(`an import failed, will be retried: ${importId}: ${(error as Error).message}`);
      }
    };
    this.#slices.start(({ importId }) =>
      run(this.#slices, importId, async () => ((await work.runSlice(importId)) ? 0 : null)),
    );
    this.#lists.start(({ importId }) => run(this.#lists, importId, () => work.readList(importId)));
  }

  send(importId: string): Promise<void> {
    return this.#send(this.#slices, importId, 0);
  }

  sendList(importId: string): Promise<void> {
    return this.#send(this.#lists, importId, 0);
  }

  wake(): void {
    this.#slices.wake();
    this.#lists.wake();
  }

  async hasJobs(): Promise<boolean> {
    const [row] = await outsideRequests(() =>
      this.context.read<{ found: boolean }>(
        `SELECT EXISTS (
           SELECT FROM pgboss.job WHERE name IN ('imports', 'import_lists')
             AND ((state < 'active' AND start_after <= now()) OR (state = 'active' AND started_on + expire_in < now()))
         ) AS found`,
      ),
    );
    return row!.found;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#slices.stop(), this.#lists.stop()]);
  }

  async #send(jobs: JobQueue<{ importId: string }>, importId: string, afterSeconds: number): Promise<void> {
    await jobs.send(importId, { importId }, await this.#orderOf(importId), afterSeconds);
    this.context.afterCommit(() => {
      this.wake();
      this.processes.wake();
    });
  }

  /**
   * Returns when the part would be over if the imports of its account shared one process. So an account has the same share of the
   * processes with many imports as with one.
   */
  async #orderOf(importId: string): Promise<number> {
    const [row] = await this.context.read<{ order: number }>(
      `SELECT (extract(epoch FROM now()) - $2 + $3 * greatest(count(*), 1))::int AS order
       FROM imports JOIN projects ON projects.id = imports.project_id
       WHERE (imports.state IN ('checking', 'running') OR imports.sealed_token IS NOT NULL) AND imports.deleted_at IS NULL
         AND projects.account_id = (
           SELECT account_id FROM imports AS this JOIN projects ON projects.id = this.project_id WHERE this.id = $1
         )`,
      [importId, firstSecond, sliceMs / 1000],
    );
    return row!.order;
  }
}
