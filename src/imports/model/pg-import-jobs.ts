import type { Log } from '../../platform/observability/log';
import { outsideRequests } from '../../platform/postgres/deadline';
import type { TransactionContext } from '../../platform/postgres/transaction-context';

/** Waits between two looks for a job. A job of this process wakes the workers at once. */
const pollIntervalMs = 1000;

/** Tells whether a job can be taken: its time has come, and no process that still works has it. */
export const isDueSql = 'start_after <= now() AND (taken_until IS NULL OR taken_until < now())';

/**
 * Runs jobs that PostgreSQL keeps, a limited number at a time in each process. A job that a process has left is given to another one,
 * so each job must bear to run twice, also at the same time.
 */
export class PgImportJobs {
  #running: Promise<unknown> | undefined;
  #stopped = false;
  /** Why no job can be taken. It is logged once. */
  #reason = '';
  /** Ends the pauses of workers. */
  readonly #wakes = new Set<() => void>();

  /**
   * @param takenSeconds time after which another process takes a job
   * @param workers jobs that run at a time
   */
  constructor(
    private readonly queue: 'slices' | 'lists',
    private readonly takenSeconds: number,
    private readonly context: TransactionContext,
    private readonly log: Log,
    private readonly workers = 1,
  ) {}

  start(work: (importId: string) => Promise<void>): void {
    this.#running = outsideRequests(() =>
      Promise.all(Array.from({ length: this.workers }, () => this.#workAlone(work))),
    );
  }

  /**
   * Adds a job in the current unit of work. Does nothing if one of the import waits.
   * @param place jobs with lower numbers go first; a whole number of 32 bits
   * @param afterSeconds the time until the job may begin
   */
  async send(importId: string, place: number, afterSeconds: number): Promise<void> {
    await this.context.write(
      `INSERT INTO import_jobs (queue, import_id, place, start_after) VALUES ($1, $2, $3, now() + make_interval(secs => $4))
       ON CONFLICT (queue, import_id) WHERE taken_until IS NULL DO NOTHING`,
      [this.queue, importId, place, afterSeconds],
    );
  }

  /** Looks for a job now. Call it once the unit of work that has sent a job is done. */
  wake(): void {
    for (const wake of this.#wakes) wake();
  }

  /** Waits for the current jobs, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  async #workAlone(work: (importId: string) => Promise<void>): Promise<void> {
    while (!this.#stopped) if (!(await this.#runNext(work)) && !this.#stopped) await this.#pause();
  }

  /** Returns false if no job is due, or the database is unavailable or lacks migrations. A job that fails is taken again later. */
  async #runNext(work: (importId: string) => Promise<void>): Promise<boolean> {
    try {
      const [job] = await this.context.write<{ id: string; importId: string }>(
        `UPDATE import_jobs SET taken_until = now() + make_interval(secs => $2) WHERE id = (
           SELECT id FROM import_jobs WHERE queue = $1 AND ${isDueSql} ORDER BY place, id LIMIT 1 FOR UPDATE SKIP LOCKED
         ) RETURNING id, import_id AS "importId"`,
        [this.queue, this.takenSeconds],
      );
      if (!job) return false;
      await work(job.importId);
      await this.context.write('DELETE FROM import_jobs WHERE id = $1', [job.id]);
      this.#reason = '';
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reason) this.log.warn(`imports continue later: ${message}`);
      this.#reason = message;
      return false;
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, pollIntervalMs).unref();
      this.#wakes.add(wake);
    });
  }
}
