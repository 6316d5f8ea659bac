import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { Clock } from '../../shared/clock';
import { UnitOfWork } from '../../shared/unit-of-work';
import { AccountRepository } from '../accounts/account.repository';
import type { Plan } from '../accounts/plan';
import { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import type { Project } from '../projects/project';
import { ProjectRepository } from '../projects/project.repository';
import type { Import, ImportChanges } from '../import-model/import';
import { ImportPlanner } from './import-planner.service';
import { ImportRowRepository } from '../import-model/import-row.repository';
import { ImportRepository } from '../import-model/import.repository';
import { ImportWriter } from './import-writer.service';
import { type PlannedRow, serviceFault } from './planned-row';
import { withUnmapped } from '../import-model/unmapped-summary';

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
    private readonly projects: ProjectRepository,
    private readonly accounts: AccountRepository,
    private readonly links: DynamicLinkRepository,
    private readonly planner: ImportPlanner,
    private readonly writer: ImportWriter,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Returns the number of rows that were done, and whether the import has more; null if nothing is to be done. */
  run(importId: string, maxRows: number): Promise<Progress | null> {
    return this.#inImport(importId, async (job, project, plan) => {
      const rows = await this.importRows.rowsAfter(job.id, job.processed, maxRows);
      const planned = await this.planner.plan(job, project, plan, rows);
      return job.state === 'running' ? this.writer.write(job, project, plan, planned) : planned;
    });
  }

  /** Refuses the next row, because it cannot be written. */
  refuseNext(importId: string, fault: unknown): Promise<Progress | null> {
    return this.#inImport(importId, async (job) => {
      const [row] = await this.importRows.rowsAfter(job.id, job.processed, 1);
      if (!row) return [];
      this.log.error(`row ${row.number} of import ${job.id} cannot be written: ${String(fault)}`);
      const problems = [serviceFault('write')];
      return [
        {
          result: { number: row.number, outcome: 'refused', linkId: null, problems, unmapped: [], planned: null },
          write: null,
        },
      ];
    });
  }

  /** Stores the outcomes of the rows that `work` does, in its transaction. */
  async #inImport(
    importId: string,
    work: (job: Import, project: Project, plan: Plan) => Promise<PlannedRow[]>,
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
      if (!project || !account) {
        await this.#end(job, { state: 'cancelled' });
        return null;
      }
      const done = await work(job, project, account.plan);
      await this.importRows.setResults(
        job.id,
        done.map(({ result }) => result),
      );
      return this.#advance(job, done);
    });
  }

  async #advance(job: Import, rows: PlannedRow[]): Promise<Progress> {
    const counts = { ...job.counts };
    for (const { result } of rows) counts[result.outcome]++;
    const processed = job.processed + rows.length;
    const created = rows.filter(({ write }) => write?.kind === 'created').length;
    const reservedLinks = Math.max(0, job.reservedLinks - created);
    const unmapped = withUnmapped(
      job.unmapped,
      rows.map(({ result }) => result.unmapped),
    );
    const changes = { counts, processed, reservedLinks, ...(unmapped !== job.unmapped && { unmapped }) };
    const last = rows.at(-1)?.result;
    if (job.state === 'running' && job.conflictPolicy === 'fail' && last?.outcome === 'conflict')
      await this.#end(job, {
        ...changes,
        state: 'failed',
        failureCode: 'conflict',
        failure: `Row ${last.number}: ${last.problems[0]!.reason}`,
      });
    else if (processed < job.fileRows && rows.length > 0) {
      await this.imports.update(job.id, changes);
      return { rows: rows.length, hasMore: true };
    } else if (job.state === 'running') await this.#end(job, { ...changes, state: 'completed' });
    else await this.imports.update(job.id, { ...changes, state: 'ready', phaseStartedAt: null });
    return { rows: rows.length, hasMore: false };
  }

  #end(job: Import, changes: ImportChanges): Promise<void> {
    const finishedAt = new Date(this.clock.now());
    return this.imports.update(job.id, { ...changes, reservedLinks: 0, phaseStartedAt: null, finishedAt });
  }
}
