import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { UnitOfWork } from '../../shared/unit-of-work';
import { QuotaReached } from '../accounts/account.errors';
import { AccountRepository } from '../accounts/account.repository';
import type { Plan } from '../accounts/plan';
import { QuotaGate } from '../accounts/quotas';
import { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import { FileColumns } from '../import-files/file-columns';
import { BrokenFile, type FileRow } from '../import-model/file-row';
import { fileRows } from '../import-files/file-rows';
import { isReport } from '../import-files/import-report';
import { recordReader } from '../import-files/row-record';
import type { Import, ImportFailure } from '../import-model/import';
import { ImportFileRepository } from '../import-model/import-file.repository';
import { ImportRowRepository } from '../import-model/import-row.repository';
import { ImportRepository } from '../import-model/import.repository';
import { withUnmapped } from '../import-model/unmapped-summary';
import type { Project } from '../projects/project';
import { ProjectRepository } from '../projects/project.repository';
import { ImportPlanner } from './import-planner.service';
import { ImportWriter } from './import-writer.service';
import { type PlannedRow, type ReadableRow, serviceFault } from './planned-row';

export const maxFileRows = 1_000_000;

/** Bytes of the rows of a batch, unless one row has more. */
const maxBatchBytes = 1_000_000;

interface Progress {
  rows: number;
  hasMore: boolean;
}

/** Processes the next rows of an import in one transaction, which also notes that they are done. So no row is done twice. */
@Injectable()
export class ImportBatch {
  constructor(
    private readonly imports: ImportRepository,
    private readonly importRows: ImportRowRepository,
    private readonly files: ImportFileRepository,
    private readonly projects: ProjectRepository,
    private readonly accounts: AccountRepository,
    private readonly links: DynamicLinkRepository,
    private readonly planner: ImportPlanner,
    private readonly writer: ImportWriter,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /** Returns the number of rows that were done, and whether the import has more; null if nothing is to be done. */
  run(importId: string, maxRows: number): Promise<Progress | null> {
    return this.#inImport(importId, async (job, project, plan) => {
      if (job.state === 'checking') return this.#check(job, project, plan, maxRows);
      const rows = await this.importRows.rowsAfter(job.id, job.processed, maxRows);
      const read = recordReader(job.layout!);
      const readable = rows.map((row) => ({ ...row, ...(row.bytes && read(row.bytes)) }) as ReadableRow);
      const done = await this.writer.write(job, project, plan, await this.planner.plan(job, project, plan, readable));
      return this.#advanceRun(job, done);
    });
  }

  /** Refuses the next row, because it cannot be written. */
  refuseNext(importId: string, fault: unknown): Promise<Progress | null> {
    return this.#inImport(importId, async (job, project, plan) => {
      const number = job.processed + 1;
      this.log.error(`row ${number} of import ${job.id} cannot be written: ${String(fault)}`);
      const problems = [serviceFault('write')];
      const refused: PlannedRow = {
        result: { number, outcome: 'refused', linkId: null, problems, unmapped: [], planned: null },
        write: null,
      };
      if (job.state === 'running') return this.#advanceRun(job, [refused]);
      return this.#check(job, project, plan, 1, refused);
    });
  }

  /** Ends an import that works, with a reason. */
  async fail(importId: string, failure: ImportFailure): Promise<void> {
    await this.#inImport(importId, (job) => this.#fail(job, failure));
  }

  /** Runs work in a transaction that holds the import. */
  async #inImport(
    importId: string,
    work: (job: Import, project: Project, plan: Plan) => Promise<Progress | null>,
  ): Promise<Progress | null> {
    // Before the transaction, which must not wait for another connection.
    const place = await this.imports.findPlace(importId);
    if (!place) return null;
    const project = await this.projects.find(place.projectId);
    const account = project && (await this.accounts.find(project.accountId));
    return this.unitOfWork.run(async () => {
      // Before the import, which a caller may cancel while this waits.
      if (place.state === 'running') await this.links.beginBulk(place.projectId);
      const job = await this.imports.findForUpdate(place.projectId, importId);
      if (!job?.isActive) return null;
      // Its run has just begun. The next batch is of the run.
      if (job.state !== place.state) return { rows: 0, hasMore: true };
      if (project && account) return work(job, project, account.plan);
      await this.imports.end(job.id, 'cancelled');
      return null;
    });
  }

  /** Reads the next rows of the file, and stores them with what the run would do. @param refused outcome of the only row */
  async #check(
    job: Import,
    project: Project,
    plan: Plan,
    maxRows: number,
    refused?: PlannedRow,
  ): Promise<Progress | null> {
    let found: { rows: FileRow[]; isEnd: boolean };
    try {
      found = await this.#nextRows(job, maxRows);
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      return this.#fail(job, { code: 'broken_file', message: `${error.message}. Repair it, and send it again` });
    }
    const { rows, isEnd } = found;
    if (job.processed + rows.length > maxFileRows)
      return this.#fail(job, {
        code: 'too_many_rows',
        message: 'The file has more than 1,000,000 rows. Divide it into several imports',
      });
    const read = recordReader(job.layout!);
    const readable = rows.map(({ bytes, fault }, at): ReadableRow => {
      const number = job.processed + at + 1;
      return bytes === null ? { number, record: null, fault } : { number, ...read(bytes) };
    });
    const planned = refused ? [refused].slice(0, rows.length) : await this.planner.plan(job, project, plan, readable);
    try {
      await this.unitOfWork.attempt(async () => {
        const bytes = await this.importRows.addRows(
          job.id,
          rows.map((row, at) => ({ row, result: planned[at]!.result })),
        );
        const quota = this.quotas.reservationOf(project.accountId, plan, 'importBytes');
        if (bytes > 0) await this.imports.reserveBytes(job.id, quota, bytes);
      });
    } catch (error) {
      if (!(error instanceof QuotaReached)) throw error;
      return this.#fail(job, { code: 'quota_reached', message: error.message });
    }
    const progress = progressAfter(job, planned);
    await this.imports.update(job.id, {
      ...progress,
      ...columnsAfter(job, readable),
      fileRows: isEnd ? progress.processed : Math.max(job.fileRows, progress.processed),
      readBytes: isEnd ? job.fileBytes : rows.at(-1)!.next,
      ...(isEnd && { state: 'ready' }),
    });
    return { rows: rows.length, hasMore: !isEnd };
  }

  /** @throws BrokenFile */
  async #nextRows(job: Import, maxRows: number): Promise<{ rows: FileRow[]; isEnd: boolean }> {
    const rows: FileRow[] = [];
    let bytes = 0;
    const read = (from: number, length: number) => this.files.read(job.id, from, length);
    for await (const row of fileRows(job.layout!, read, job.readBytes)) {
      rows.push(row);
      bytes += row.bytes?.length ?? 0;
      if (rows.length === maxRows || bytes > maxBatchBytes) return { rows, isEnd: false };
    }
    return { rows, isEnd: true };
  }

  async #advanceRun(job: Import, rows: PlannedRow[]): Promise<Progress> {
    const results = rows.map(({ result }) => result);
    await this.importRows.setResults(job.id, results);
    const created = rows.filter(({ write }) => write?.kind === 'created').length;
    const progress = progressAfter(job, rows);
    await this.imports.update(job.id, { ...progress, reservedLinks: Math.max(0, job.reservedLinks - created) });
    const last = results.at(-1);
    const isEnd = rows.length === 0 || progress.processed >= job.fileRows;
    if (job.conflictPolicy === 'fail' && last?.outcome === 'conflict')
      await this.#fail(job, { code: 'conflict', message: `Row ${last.number}: ${last.problems[0]!.reason}` });
    else if (isEnd) await this.imports.end(job.id, 'completed');
    else return { rows: rows.length, hasMore: true };
    return { rows: rows.length, hasMore: false };
  }

  async #fail(job: Import, failure: ImportFailure): Promise<null> {
    await this.imports.end(job.id, 'failed', failure);
    return null;
  }
}

/** Returns the counts of an import after further rows. */
function progressAfter(job: Import, rows: PlannedRow[]): Pick<Import, 'counts' | 'processed' | 'unmapped'> {
  const counts = { ...job.counts };
  for (const { result } of rows) counts[result.outcome]++;
  const unmapped = rows.map(({ result }) => result.unmapped);
  return { counts, processed: job.processed + rows.length, unmapped: withUnmapped(job.unmapped, unmapped) };
}

/** Returns the columns of the report, if the rows have new ones. */
function columnsAfter({ columns, layout }: Import, rows: ReadableRow[]): Partial<Pick<Import, 'columns'>> {
  // A report must keep the cells that have no header.
  if (layout!.kind === 'csv' && isReport(layout!.header)) return {};
  const all = new FileColumns(columns, layout!.kind === 'csv');
  for (const { record } of rows) if (record) all.add(Object.keys(record));
  return all.names.length > columns.length ? { columns: all.names } : {};
}
