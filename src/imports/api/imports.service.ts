import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Page } from '../../shared/page';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Plan } from '../../tenancy/accounts/plan';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import { afterRequest, inTimeOfRequest, retried } from '../../api-kit/kit/long-requests';
import type { Project } from '../../links/projects/project';
import { type Import, noCounts } from '../model/import';
import { ImportIntakeService, type NewImportFields } from '../model/import-intake.service';
import { ImportPurgeService } from './import-purge.service';
import { PgImportQueue } from '../model/pg-import-queue';
import { ImportUploadService } from './import-upload.service';
import { columnsOf } from '../files/file-head';
import { recordReader, type RowRecord } from '../files/row-record';
import { SecretSeal } from '../../tenancy/api-keys/secret-seal';
import { ImportReport } from '../files/import-report';
import type { ImportRow, Outcome } from '../model/import-row';
import { PgImportRows } from '../model/pg-import-rows';
import { type ImportListRequest, TypeormImportRepository } from '../model/typeorm-import.repository';
import { nothingUnmapped } from '../model/unmapped-summary';
import type { ListRequest } from '../apis/import-api-client';

const reportBatch = 500;

/** The longest stream of events. Clients connect again, perhaps to another process. */
const maxWatchMs = 60_000;
const watchIntervalMs = 500;

/** A comment keeps proxies from closing the connection. */
const quietIntervals = 20;

/** Implements the operations of imports. Those on one import throw NotFound if the project does not have it. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly imports: TypeormImportRepository,
    private readonly importRows: PgImportRows,
    private readonly intake: ImportIntakeService,
    private readonly upload: ImportUploadService,
    private readonly seal: SecretSeal,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: PgImportQueue,
    private readonly purge: ImportPurgeService,
  ) {}

  list(project: Project, request: ImportListRequest): Promise<Page<Import>> {
    return this.imports.list(project.id, request);
  }

  async get(project: Project, id: string): Promise<Import> {
    return requireFound(await this.imports.find(project.id, id), 'Import');
  }

  /** @throws LimitReached, QuotaReached, InvalidInput, ImportFileTooLarge */
  async create(project: Project, plan: Plan, fields: NewImportFields, file: AsyncIterable<Buffer>): Promise<Import> {
    const job = await this.intake.open(project, plan, fields, null);
    try {
      const layout = await this.upload.store(job, project, plan, file);
      // The file may have taken longer to arrive than a request may.
      return await inTimeOfRequest(() =>
        this.unitOfWork.run(async () => {
          const uploaded = requireFound(await this.imports.findForUpdate(project.id, job.id), 'Import');
          await this.intake.close(uploaded, layout, columnsOf(layout));
          return this.get(project, job.id);
        }),
      );
    } catch (error) {
      await inTimeOfRequest(() => this.imports.remove(job.id)).catch(() => {});
      void afterRequest(() => this.purge.sweep());
      throw error;
    }
  }

  /** @throws LimitReached */
  createFromApi(project: Project, plan: Plan, fields: NewImportFields, list: ListRequest): Promise<Import> {
    const { token, url, choice } = list;
    return this.unitOfWork.run(async () => {
      const job = await this.intake.open(project, plan, fields, { url, choice });
      await this.imports.update(job, { sealedToken: this.seal.seal(token, job.id) });
      await this.queue.sendList(job.id);
      return job;
    });
  }

  /**
   * @param acknowledged versions of released apps that rows may break
   * @throws ImportNotInState, QuotaReached
   */
  async run(project: Project, plan: Plan, id: string, acknowledged: string[] = []): Promise<Import> {
    return this.unitOfWork.run(async () => {
      const job = requireFound(await this.imports.findForUpdate(project.id, id), 'Import');
      job.requireRunnable();
      const quota = this.quotas.reservationOf(project.accountId, plan, 'dynamicLinks');
      const reservedLinks = job.created;
      if (quota && reservedLinks > 0) await this.imports.reserveLinks(quota, reservedLinks);
      await this.imports.update(job, {
        ...noCounts,
        processed: 0,
        predicted: job.counts,
        unmapped: nothingUnmapped,
        reservedLinks,
        acknowledged,
      });
      await this.imports.beginPhase(id, 'running');
      await this.queue.send(id);
      return this.get(project, id);
    });
  }

  /** @throws ImportNotInState */
  async cancel(project: Project, id: string): Promise<Import> {
    const cancelled = await this.unitOfWork.run(async () => {
      const job = requireFound(await this.imports.findForUpdate(project.id, id), 'Import');
      job.requireState('uploading', 'checking', 'ready', 'running');
      await this.imports.end(job, 'cancelled');
      return this.get(project, id);
    });
    void afterRequest(() => this.purge.sweep());
    return cancelled;
  }

  async delete(project: Project, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      requireFound(await this.imports.findForUpdate(project.id, id), 'Import');
      await this.imports.remove(id);
    });
    void afterRequest(() => this.purge.sweep());
  }

  async rows(
    project: Project,
    id: string,
    { outcome, page, limit }: { outcome?: Outcome; page: number; limit: number },
  ): Promise<{ job: Import; rows: Page<ImportRow>; read: (bytes: Buffer) => RowRecord }> {
    const job = await this.get(project, id);
    const processed = outcome === undefined ? job.processed : job[outcome];
    const total = job.hasRows ? processed : 0;
    const offset = (page - 1) * limit;
    const items = offset >= total ? [] : await this.importRows.listRows(job, offset, limit, outcome);
    return { job, rows: { items, total }, read: readerOf(job) };
  }

  async *report(project: Project, id: string, outcome: Outcome | undefined): AsyncGenerator<string> {
    const job = await this.get(project, id);
    const read = readerOf(job);
    const report = new ImportReport(job, (bytes) => read(bytes).record);
    let text = report.head;
    for (let number = 0; job.hasRows;) {
      const rows = await retried(() => this.importRows.rowsAfter(job, number, reportBatch, outcome));
      yield text + (await report.writeAll(rows));
      if (rows.length === 0) return;
      number = rows.at(-1)!.number;
      text = '';
    }
    yield text;
  }

  /** Returns the import whenever it has changed, and null in quiet times, until neither dry run nor run works. */
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
}

/** Returns a reader of the rows of an import. An import without a layout has no rows. */
const readerOf = ({ layout }: Import) => recordReader(layout ?? { kind: 'lines', start: 0 });
