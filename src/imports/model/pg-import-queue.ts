import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { outsideRequests } from '../../platform/postgres/request-context';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { ImportProcesses } from './import-processes';

/** Duration of a job. One that takes much longer is given to another process. */
export const sliceMs = 2000;

/** Lists that a process reads at once. Each has one connection, and one answer in memory. */
export const maxLists = 4;

/**
 * The jobs that run at a time in a process, and when a job is given to another process, because its own has ended. A list waits for
 * another system.
 */
const queues = { slices: { workers: 1, takenSeconds: 15 }, lists: { workers: maxLists, takenSeconds: 60 } };
type Queue = keyof typeof queues;

/** Waits between two looks for a job. A job of this process wakes the workers at once. */
const pollIntervalMs = 1000;

const pauseSeconds = 1;

/** The numbers of places begin here, because they have 32 bits. */
const firstSecond = Date.UTC(2026, 0) / 1000;

/** Tells whether a job can be taken: its time has come, and no process that still works has it. */
const isDueSql = 'start_after <= now() AND (taken_until IS NULL OR taken_until < now())';

/** A function that does a part of an import. It returns the seconds until the next part can begin; null after the last one. */
export type ImportPart = (importId: string) => Promise<number | null>;

/**
 * Queues imports in PostgreSQL. Each job is a part that takes about two seconds. A job that a process has left is given to another one,
 * so each job must bear to run twice, also at the same time.
 */
@Injectable()
export class PgImportQueue {
  #running: Promise<unknown> | undefined;
  #stopped = false;
  /** Why no job can be taken. It is logged once. */
  #reason = '';
  /** Ends the pauses of workers. */
  readonly #wakes = new Set<() => void>();

  constructor(
    private readonly context: TransactionContext,
    private readonly log: Log,
    private readonly processes: ImportProcesses,
  ) {}

  /** Begins to take jobs: one dry run or run at a time, and some lists. */
  start(runSlice: ImportPart, readList: ImportPart): void {
    const workersOf = (queue: Queue, part: ImportPart) =>
      Array.from({ length: queues[queue].workers }, () => this.#work(queue, part));
    this.#running = outsideRequests(() =>
      Promise.all([...workersOf('slices', runSlice), ...workersOf('lists', readList)]),
    );
  }

  /** Adds a part of a dry run or a run in the current unit of work. Does nothing if one is queued. */
  send(importId: string): Promise<void> {
    return this.#send('slices', importId, 0);
  }

  sendList(importId: string): Promise<void> {
    return this.#send('lists', importId, 0);
  }

  /** Looks for a job now. */
  wake(): void {
    for (const wake of this.#wakes) wake();
  }

  async hasJobs(): Promise<boolean> {
    const [row] = await outsideRequests(() =>
      this.context.read<{ found: boolean }>(`SELECT EXISTS (SELECT FROM import_jobs WHERE ${isDueSql}) AS found`),
    );
    return row!.found;
  }

  /** Waits for the current jobs, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  async #work(queue: Queue, part: ImportPart): Promise<void> {
    while (!this.#stopped) if (!(await this.#runNext(queue, part)) && !this.#stopped) await this.#pause();
  }

  /** Returns false if no job is due, or the database is unavailable or lacks migrations. A job that fails is taken again later. */
  async #runNext(queue: Queue, part: ImportPart): Promise<boolean> {
    try {
      const [job] = await this.context.write<{ id: string; importId: string }>(
        `UPDATE import_jobs SET taken_until = now() + make_interval(secs => $2) WHERE id = (
           SELECT id FROM import_jobs WHERE queue = $1 AND ${isDueSql} ORDER BY place, id LIMIT 1 FOR UPDATE SKIP LOCKED
         ) RETURNING id, import_id AS "importId"`,
        [queue, queues[queue].takenSeconds],
      );
      if (!job) return false;
      await this.#run(queue, job.importId, part);
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

  /** Sends the next part before this one ends, so that no import is without a job. */
  async #run(queue: Queue, importId: string, part: ImportPart): Promise<void> {
    let afterSeconds: number | null = pauseSeconds;
    try {
      afterSeconds = await part(importId);
    } catch (error) {
      // The queue would give a failed job its former place, so that two imports that fail repeatedly would block all others.
      this.log.warn(`an import failed, will be retried: ${importId}: ${(error as Error).message}`);
    }
    if (afterSeconds !== null) await this.context.run(() => this.#send(queue, importId, afterSeconds));
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

  /**
   * Adds a job, whose place is when the part would be over if the imports of its account shared one process. So an account has the same
   * share of the processes with many imports as with one.
   */
  async #send(queue: Queue, importId: string, afterSeconds: number): Promise<void> {
    await this.context.write(
      `INSERT INTO import_jobs (queue, import_id, place, start_after)
       SELECT $1, $2::uuid, (extract(epoch FROM now()) - $4 + $5 * greatest(count(*), 1))::int, now() + make_interval(secs => $3)
       FROM imports JOIN projects ON projects.id = imports.project_id
       WHERE (imports.state IN ('checking', 'running') OR imports.sealed_token IS NOT NULL) AND imports.deleted_at IS NULL
         AND projects.account_id = (
           SELECT account_id FROM imports AS this JOIN projects ON projects.id = this.project_id WHERE this.id = $2
         )
       ON CONFLICT (queue, import_id) WHERE taken_until IS NULL DO NOTHING`,
      [queue, importId, afterSeconds, firstSecond, sliceMs / 1000],
    );
    this.context.afterCommit(() => {
      this.wake();
      this.processes.wake();
    });
  }
}
