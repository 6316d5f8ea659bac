import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { UnitOfWork } from '../../shared/unit-of-work';
import { QuotaReached } from '../../tenancy/accounts/account.errors';
import { AccountRepository } from '../../tenancy/accounts/account.repository';
import { stoppedOf } from '../../tenancy/accounts/caller';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import { DynamicLinkRepository } from '../../links/dynamic-links/dynamic-link.repository';
import { columnsWith } from '../files/file-columns';
import { BrokenFile, type FileRow } from '../model/file-row';
import { fileRows } from '../files/file-rows';
import { isReport } from '../files/import-report';
import { recordReader } from '../files/row-record';
import type { Import, ImportFailure } from '../model/import';
import { TypeormImportRepository } from '../model/typeorm-import.repository';
import { PgImportFiles } from '../model/pg-import-files';
import { PgImportRows } from '../model/pg-import-rows';
import { withUnmapped } from '../model/unmapped-summary';
import { ProjectRepository } from '../../links/projects/project.repository';
import {
  ImportPlannerService,
  type BatchScope,
  type PlannedRow,
  type ReadableRow,
  serviceFault,
} from './import-planner.service';
import { ImportWriterService } from './import-writer.service';
import { RowPasswords } from './row-passwords';

export const maxFileRows = 1_000_000;

/** Bytes of the rows of a batch, unless one row has more. */
const maxBatchBytes = 1_000_000;

type PlanRows = ImportPlannerService['plan'];

interface Progress {
  rows: number;
  hasMore: boolean;
  /** The account accepts no changes now. */
  mustWait?: true;
}

/** Processes the next rows of an import in one transaction, which also notes that they are done. So no row is done twice. */
@Injectable()
export class ImportBatchService {
  constructor(
    private readonly imports: TypeormImportRepository,
    private readonly importRows: PgImportRows,
    private readonly files: PgImportFiles,
    private readonly projects: ProjectRepository,
    private readonly accounts: AccountRepository,
    private readonly links: DynamicLinkRepository,
    private readonly planner: ImportPlannerService,
    private readonly writer: ImportWriterService,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /** Returns the number of rows that were done, and whether the import has more; null if nothing is to be done. */
  async run(importId: string, maxRows: number): Promise<Progress | null> {
    const passwords = new RowPasswords();
    const next = () => this.#next(importId, maxRows, (scope, rows) => this.planner.plan(scope, rows), passwords);
    let progress = await next();
    while (await passwords.hash()) progress = await next();
    return progress;
  }

  refuseNext(importId: string, fault: unknown): Promise<Progress | null> {
    return this.#next(importId, 1, async ({ job }, rows) =>
      rows.map(({ number }) => {
        this.log.error(`row ${number} of import ${job.id} cannot be written: ${String(fault)}`);
        const problems = [serviceFault('write')];
        return { number, outcome: 'refused', linkId: null, problems, unmapped: [], link: null, fields: null };
      }),
    );
  }

  async #next(
    importId: string,
    maxRows: number,
    planRows: PlanRows,
    passwords = new RowPasswords(),
  ): Promise<Progress | null> {
    // Before the transaction, which must not wait for another connection.
    const place = await this.imports.findPlace(importId);
    if (!place) return null;
    const project = await this.projects.find(place.projectId);
    const account = project && (await this.accounts.find(project.accountId));
    if (account && stoppedOf(account) !== null && place.state === 'running')
      return { rows: 0, hasMore: true, mustWait: true };
    return this.unitOfWork.runAs({ kind: 'import', import_id: importId }, async () => {
      // Before the import, which a caller may cancel while this waits.
      if (place.state === 'running') await this.links.beginBulk(place.projectId);
      const job = await this.imports.findForUpdate(place.projectId, importId);
      if (!job?.isActive) return null;
      // Its run has just begun. The next batch is of the run.
      if (job.state !== place.state) return { rows: 0, hasMore: true };
      if (project && account) {
        const scope = { job, project, plan: account.plan };
        return job.state === 'checking'
          ? this.#check(scope, maxRows, planRows)
          : this.#run(scope, maxRows, planRows, passwords);
      }
      await this.imports.end(job, 'cancelled');
      return null;
    });
  }

  /** Reads the next rows of the file, and stores them with what the run would do. */
  async #check(scope: BatchScope, maxRows: number, planRows: PlanRows): Promise<Progress | null> {
    const { job, project, plan } = scope;
    try {
      const { rows, isEnd } = await this.#nextRows(job, maxRows);
      if (job.processed + rows.length > maxFileRows) throw new TooManyRows();
      const read = recordReader(job.layout!);
      const readable = rows.map(({ bytes, fault }, at): ReadableRow => {
        const number = job.processed + at + 1;
        return bytes === null ? { number, record: null, fault } : { number, ...read(bytes) };
      });
      const planned = await planRows(scope, readable);
      await this.unitOfWork.attempt(async () => {
        const stored = rows.map((row, at) => ({ row, result: planned[at]! }));
        const bytes = await this.importRows.addRows(job.id, stored);
        const quota = this.quotas.reservationOf(project.accountId, plan, 'importBytes');
        if (bytes > 0) await this.imports.reserveBytes(job.id, quota, bytes);
      });
      const progress = progressAfter(job, planned);
      await this.imports.update(job, {
        ...progress,
        ...columnsAfter(job, readable),
        fileRows: isEnd ? progress.processed : Math.max(job.fileRows, progress.processed),
        readBytes: isEnd ? job.fileBytes : rows.at(-1)!.next,
        ...(isEnd && { state: 'ready' }),
      });
      return { rows: rows.length, hasMore: !isEnd };
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      await this.imports.end(job, failure);
      return null;
    }
  }

  async #run(scope: BatchScope, maxRows: number, planRows: PlanRows, passwords: RowPasswords): Promise<Progress> {
    const { job } = scope;
    const { id, processed, fileRows } = job;
    // With the range of the batch, the planner reads no other rows.
    const range = { id, processed: Math.min(processed + maxRows, fileRows) };
    const rows = await this.importRows.rowsAfter(range, processed, maxRows);
    const read = recordReader(job.layout!);
    const readable = rows.map((row) => ({ ...row, ...(row.bytes && read(row.bytes)) }) as ReadableRow);
    const planned = passwords.applyTo(await planRows(scope, readable));
    if (!planned) return { rows: 0, hasMore: true };
    const done = await this.writer.write(scope, planned);
    const bytes = await this.importRows.setResults(id, done);
    if (bytes !== 0) await this.imports.reserveBytes(id, undefined, bytes);
    const created = done.filter(({ outcome }) => outcome === 'created').length;
    const progress = progressAfter(job, done);
    await this.imports.update(job, { ...progress, reservedLinks: Math.max(0, job.reservedLinks - created) });
    const last = done.at(-1);
    const isConflict = job.conflictPolicy === 'fail' && last?.outcome === 'conflict';
    const isEnd = isConflict || rows.length === 0 || progress.processed >= fileRows;
    if (isConflict)
      await this.imports.end(job, { code: 'conflict', message: `Row ${last.number}: ${last.problems[0]!.reason}` });
    else if (isEnd) await this.imports.end(job, 'completed');
    return { rows: done.length, hasMore: !isEnd };
  }

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
}

class TooManyRows extends Error {
  override readonly message = 'The file has more than 1,000,000 rows. Divide it into several imports';
}

/** Returns the failure of a dry run; null if another attempt may succeed. */
function failureOf(error: unknown): ImportFailure | null {
  if (error instanceof TooManyRows) return { code: 'too_many_rows', message: error.message };
  if (error instanceof BrokenFile)
    return { code: 'broken_file', message: `${error.message}. Repair it, and send it again` };
  return error instanceof QuotaReached ? { code: 'quota_reached', message: error.message } : null;
}

function progressAfter(job: Import, rows: PlannedRow[]): Partial<Import> & { processed: number } {
  const { counts } = job;
  for (const { outcome } of rows) counts[outcome]++;
  const unmapped = withUnmapped(
    job.unmapped,
    rows.map((row) => row.unmapped),
  );
  return { ...counts, processed: job.processed + rows.length, unmapped };
}

/** Returns the columns of the report, if the rows have new ones. */
function columnsAfter({ columns, layout }: Import, rows: ReadableRow[]): Partial<Pick<Import, 'columns'>> {
  // A report must keep the cells that have no header.
  if (layout!.kind === 'csv' && isReport(layout!.header)) return {};
  const names = rows.flatMap(({ record }) => Object.keys(record ?? {}));
  const all = columnsWith(columns, names, layout!.kind === 'csv');
  return all.length > columns.length ? { columns: all } : {};
}
