import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { outsideRequests } from '../../platform/postgres/deadline';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { PgImportJobs, isDueSql } from './pg-import-jobs';
import { ImportProcesses } from './import-processes';

/** Duration of a job. One that takes much longer is given to another process. */
export const sliceMs = 2000;

/** Times in seconds after which a job is given to another process, because its own has ended. A list waits for another system. */
const takenSeconds = { slices: 15, lists: 60 };

/** Lists that a process reads at once. Each has one connection, and one answer in memory. */
export const maxLists = 4;

const pauseSeconds = 1;

/** The numbers of places begin here, because they have 32 bits. */
const firstSecond = Date.UTC(2026, 0) / 1000;

/** A function that does a part of an import. It returns the seconds until the next part can begin; null after the last one. */
export type ImportPart = (importId: string) => Promise<number | null>;

/** Queues imports in PostgreSQL. Each job is a part that takes about two seconds. */
@Injectable()
export class PgImportQueue {
  readonly #slices: PgImportJobs;
  readonly #lists: PgImportJobs;

  constructor(
    private readonly context: TransactionContext,
    private readonly log: Log,
    private readonly processes: ImportProcesses,
  ) {
    this.#slices = new PgImportJobs('slices', takenSeconds.slices, context, log);
    this.#lists = new PgImportJobs('lists', takenSeconds.lists, context, log, maxLists);
  }

  /** Begins to take jobs: one dry run or run at a time, and some lists. */
  start(runSlice: ImportPart, readList: ImportPart): void {
    this.#slices.start((importId) => this.#run(this.#slices, importId, runSlice));
    this.#lists.start((importId) => this.#run(this.#lists, importId, readList));
  }

  /** Adds a part of a dry run or a run in the current unit of work. Does nothing if one is queued. */
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
      this.context.read<{ found: boolean }>(`SELECT EXISTS (SELECT FROM import_jobs WHERE ${isDueSql}) AS found`),
    );
    return row!.found;
  }

  /** Waits for the current jobs, and starts no other. */
  async stop(): Promise<void> {
    await Promise.all([this.#slices.stop(), this.#lists.stop()]);
  }

  /** Sends the next part before this one ends, so that no import is without a job. */
  async #run(jobs: PgImportJobs, importId: string, part: ImportPart): Promise<void> {
    let afterSeconds: number | null = pauseSeconds;
    try {
      afterSeconds = await part(importId);
    } catch (error) {
      // The queue would give a failed job its former place, so that two imports that fail repeatedly would block all others.
      this.log.warn(`an import failed, will be retried: ${importId}: ${(error as Error).message}`);
    }
    if (afterSeconds !== null) await this.context.run(() => this.#send(jobs, importId, afterSeconds));
  }

  async #send(jobs: PgImportJobs, importId: string, afterSeconds: number): Promise<void> {
    await jobs.send(importId, await this.#placeOf(importId), afterSeconds);
    this.context.afterCommit(() => {
      this.wake();
      this.processes.wake();
    });
  }

  /**
   * Returns when the part would be over if the imports of its account shared one process. So an account has the same share of the
   * processes with many imports as with one.
   */
  async #placeOf(importId: string): Promise<number> {
    const [row] = await this.context.read<{ place: number }>(
      `SELECT (extract(epoch FROM now()) - $2 + $3 * greatest(count(*), 1))::int AS place
       FROM imports JOIN projects ON projects.id = imports.project_id
       WHERE (imports.state IN ('checking', 'running') OR imports.sealed_token IS NOT NULL) AND imports.deleted_at IS NULL
         AND projects.account_id = (
           SELECT account_id FROM imports AS this JOIN projects ON projects.id = this.project_id WHERE this.id = $1
         )`,
      [importId, firstSecond, sliceMs / 1000],
    );
    return row!.place;
  }
}
