import PgBoss from 'pg-boss';
import type { Log } from '../observability/log';
import type { AdaptivePool } from '../postgres/adaptive-pool';
import { outsideRequests } from '../postgres/deadline';
import type { TransactionContext } from '../postgres/transaction-context';

/** Waits between two looks for a job. A job of this process wakes the workers at once. */
const pollIntervalMs = 1000;

/** Seconds between two looks for jobs whose process has left them. One process of all looks. */
const maintenanceIntervalSeconds = 5;

/**
 * Runs jobs that PostgreSQL keeps, a limited number at a time in each process. A job that a process has left is given to
 * another one, so each
 * job must bear to run twice, also at the same time.
 *
 * pg-boss sends, fetches and expires jobs. The loop is here, because that of pg-boss 10 leaves a lost connection unhandled
 * (docs/decisions/0028-imports-and-exports.md).
 */
export class JobQueue<Data extends object> {
  #boss: PgBoss;
  #running: Promise<unknown> | undefined;
  #stopped = false;
  /** Why the queue is not open yet. It is logged once. */
  #reason = '';
  /** Ends the pauses of workers. */
  readonly #wakes = new Set<() => void>();

  /**
   * @param name of a queue that a migration has created
   * @param workers jobs that run at a time
   */
  constructor(
    private readonly name: string,
    private readonly pool: AdaptivePool,
    private readonly context: TransactionContext,
    private readonly log: Log,
    private readonly workers = 1,
  ) {
    this.#boss = this.#newBoss();
  }

  #newBoss(): PgBoss {
    const executeSql = (sql: string, values?: unknown[]) => outsideRequests(() => this.pool.query(sql, values));
    const boss = new PgBoss({
      db: { executeSql },
      migrate: false,
      schedule: false,
      maintenanceIntervalSeconds,
      // Finished jobs have nothing that anybody reads.
      archiveCompletedAfterSeconds: 60,
      deleteAfterMinutes: 1,
    });
    boss.on('error', (error) => this.log.warn(`the job queue failed, will be retried: ${error.message}`));
    return boss;
  }

  /** Begins to work as soon as the database has the schema of this version of pg-boss. */
  start(work: (data: Data) => Promise<void>): void {
    this.#running = outsideRequests(() => this.#work(work));
  }

  /**
   * Adds a job in the current unit of work. Does nothing if a job with this key is queued.
   * @param order jobs with lower numbers go first; a whole number of 32 bits
   * @param afterSeconds the time until the job may begin
   */
  async send(key: string, data: Data, order: number, afterSeconds = 0): Promise<void> {
    const executeSql = async (sql: string, values: unknown[]) => ({ rows: await this.context.write(sql, values) });
    const options = { singletonKey: key, priority: -order, startAfter: afterSeconds, db: { executeSql } };
    await this.#boss.send(this.name, data, options);
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
    await this.#boss.stop({ graceful: false });
  }

  async #work(work: (data: Data) => Promise<void>): Promise<void> {
    while (!this.#stopped && !(await this.#open())) await this.#pause();
    await Promise.all(Array.from({ length: this.workers }, () => this.#workAlone(work)));
  }

  async #workAlone(work: (data: Data) => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      // Returns nothing if the database is unavailable.
      const [job] = await this.#boss.fetch<Data>(this.name);
      if (job) await this.#run(job, work);
      else if (!this.#stopped) await this.#pause();
    }
  }

  /** Returns false if the database is unavailable or lacks migrations, as at the start of a process that does not migrate. */
  async #open(): Promise<boolean> {
    try {
      await this.#boss.start();
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reason) this.log.warn(`background jobs begin later: ${message}`);
      this.#reason = message;
      // One whose start has failed cannot be started again.
      this.#boss = this.#newBoss();
      return false;
    }
  }

  async #run({ id, data }: PgBoss.Job<Data>, work: (data: Data) => Promise<void>): Promise<void> {
    try {
      await work(data);
      await this.#boss.complete(this.name, id);
    } catch (error) {
      this.log.warn(`background job failed, will be retried: ${(error as Error).message}`);
      // If this fails as well, the job expires.
      await this.#boss.fail(this.name, id).catch(() => {});
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
