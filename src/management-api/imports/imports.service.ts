import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import type { Page } from '../../shared/page';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Plan } from '../accounts/plan';
import { QuotaGate } from '../accounts/quotas';
import { afterRequest, inTimeOfRequest, retried } from '../kit/long-requests';
import type { Project } from '../projects/project';
import { type Import, noCounts } from '../import-model/import';
import { ImportFetches } from './import-fetches.service';
import { ImportIntake, type NewImportFields } from './import-intake.service';
import { ImportPurge } from './import-purge';
import { ImportQueue } from '../import-work/import-queue';
import { ImportReport } from '../import-files/import-report';
import type { ImportRow, Outcome } from '../import-model/import-row';
import { ImportRowRepository } from '../import-model/import-row.repository';
import { type ImportListRequest, ImportRepository } from '../import-model/import.repository';
import { ImportWork } from '../import-work/import-work';
import { nothingUnmapped } from '../import-model/unmapped-summary';
import type { ListRequest } from '../import-apis/import-api-client';

/** Rows that a report reads by a statement at most. */
const reportBatch = 500;

/** The longest stream of events. Clients connect again, perhaps to another process. */
const maxWatchMs = 60_000;
const watchIntervalMs = 500;

/** A comment keeps proxies from closing the connection. */
const quietIntervals = 20;

@Injectable()
export class ImportsService {
  constructor(
    private readonly imports: ImportRepository,
    private readonly importRows: ImportRowRepository,
    private readonly intake: ImportIntake,
    private readonly work: ImportWork,
    private readonly fetches: ImportFetches,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: ImportQueue,
    private readonly purge: ImportPurge,
    private readonly clock: Clock,
  ) {}

  list(project: Project, request: ImportListRequest): Promise<Page<Import>> {
    return this.imports.list(project.id, request);
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<Import> {
    return requireFound(await this.imports.find(project.id, id), 'Import');
  }

  /**
   * Stores the file, and lets the dry run begin.
   * @throws LimitReached, InvalidInput, ImportFileTooLarge
   */
  async create(project: Project, plan: Plan, fields: NewImportFields, file: AsyncIterable<Buffer>): Promise<Import> {
    const { id } = await this.intake.open(project, plan, fields);
    try {
      await this.intake.close(project.id, id, await this.work.store(id, fields.format, file));
      return await inTimeOfRequest(() => this.get(project, id));
    } catch (error) {
      await inTimeOfRequest(() => this.imports.remove(id)).catch(() => {});
      void afterRequest(() => this.purge.sweep());
      throw error;
    }
  }

  /**
   * Lets this process read the list of another system. The dry run begins once it is stored.
   * @throws LimitReached, TooManyAtOnce
   */
  createFromApi(project: Project, plan: Plan, fields: NewImportFields, list: ListRequest): Promise<Import> {
    return this.fetches.start(project.accountId, list, () => this.intake.open(project, plan, fields));
  }

  /**
   * Reserves the quota, and lets the run begin.
   * @throws NotFound, ImportNotInState, QuotaReached
   */
  async run(project: Project, plan: Plan, id: string): Promise<Import> {
    const started = await this.unitOfWork.run(async () => {
      const job = requireFound(await this.imports.findForUpdate(project.id, id), 'Import');
      job.requireRunnable();
      const quota = this.quotas.reservationOf(project.accountId, plan, 'dynamicLinks');
      const reservedLinks = job.counts.created;
      if (quota && reservedLinks > 0) await this.imports.reserveLinks(quota, reservedLinks);
      await this.imports.update(id, {
        state: 'running',
        processed: 0,
        predicted: job.counts,
        counts: noCounts,
        unmapped: nothingUnmapped,
        reservedLinks,
        phaseStartedAt: this.#now(),
      });
      await this.queue.send(id);
      return this.get(project, id);
    });
    this.queue.wake();
    return started;
  }

  /**
   * Ends the import. Links that it has created stay.
   * @throws NotFound, ImportNotInState
   */
  async cancel(project: Project, id: string): Promise<Import> {
    const cancelled = await this.unitOfWork.run(async () => {
      const job = requireFound(await this.imports.findForUpdate(project.id, id), 'Import');
      job.requireCancellable();
      const finishedAt = this.#now();
      await this.imports.update(id, { state: 'cancelled', reservedLinks: 0, phaseStartedAt: null, finishedAt });
      return this.get(project, id);
    });
    this.fetches.abort(id);
    return cancelled;
  }

  /** @throws NotFound */
  async rows(
    project: Project,
    id: string,
    { outcome, page, limit }: { outcome?: Outcome; page: number; limit: number },
  ): Promise<{ job: Import; rows: Page<ImportRow> }> {
    const job = await this.get(project, id);
    const total = outcome === undefined ? job.processed : job.counts[outcome];
    const offset = (page - 1) * limit;
    const items = offset >= total ? [] : await this.importRows.listRows(job, outcome, offset, limit);
    return { job, rows: { items, total } };
  }

  /**
   * Returns the parts of a report of the processed rows.
   * @throws NotFound
   */
  async *report(project: Project, id: string, outcome: Outcome | undefined): AsyncGenerator<string> {
    const job = await this.get(project, id);
    const report = new ImportReport(job);
    let text = report.head;
    for (let number = 0; ;) {
      const rows = await retried(() => this.importRows.processedRowsAfter(job, outcome, number, reportBatch));
      yield text + (await report.writeAll(rows));
      if (rows.length === 0) return;
      number = rows.at(-1)!.number;
      text = '';
    }
  }

  /**
   * Returns the import whenever it has changed, until neither dry run nor run works, or `isOver`, or for a minute. Returns null in quiet
   * times.
   * @throws NotFound
   */
  async *watch(project: Project, id: string, isOver: () => boolean): AsyncGenerator<Import | null> {
    const endsAt = performance.now() + maxWatchMs;
    let last = await this.get(project, id);
    yield last;
    for (let quiet = 0; (last.isActive || last.state === 'uploading') && performance.now() < endsAt && !isOver();) {
      await sleep(watchIntervalMs);
      const job = await retried(() => this.get(project, id));
      if (job.state === last.state && job.processed === last.processed && job.fileRows === last.fileRows) {
        if (++quiet % quietIntervals === 0) yield null;
      } else {
        last = job;
        yield job;
      }
    }
  }

  #now(): Date {
    return new Date(this.clock.now());
  }
}
