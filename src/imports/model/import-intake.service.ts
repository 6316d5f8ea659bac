import { Injectable } from '@nestjs/common';
import { newId } from '../../shared/id';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import { AccountRepository } from '../../tenancy/accounts/account.repository';
import type { Plan } from '../../tenancy/accounts/plan';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import type { FileLayout } from './file-row';
import type { Project } from '../../links/projects/project';
import type { Import, NewImport } from './import';
import { PgImportQueue } from './pg-import-queue';
import { TypeormImportRepository } from './typeorm-import.repository';
import { PgImportFiles } from './pg-import-files';

/** Imports of a project that have not come to their end. Each may hold a file of 200 MB. */
export const maxOpenImports = 5;

export type NewImportFields = Pick<NewImport, 'source' | 'format' | 'conflictPolicy' | 'options'>;

/** Opens imports for their bytes, and begins the dry run once they are stored. */
@Injectable()
export class ImportIntakeService {
  constructor(
    private readonly imports: TypeormImportRepository,
    private readonly files: PgImportFiles,
    private readonly accounts: AccountRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: PgImportQueue,
  ) {}

  /** @throws LimitReached */
  open(project: Project, plan: Plan, fields: NewImportFields, list: Import['list']): Promise<Import> {
    return this.unitOfWork.run(async () => {
      await this.accounts.lock(project.accountId);
      const used = await this.imports.countOpen(project.id);
      if (used >= maxOpenImports)
        throw new LimitReached('open imports', { limit: maxOpenImports, used, plan }, 'run or cancel one of them');
      return this.imports.insert({ ...fields, list, id: newId(), projectId: project.id, state: 'uploading' });
    });
  }

  /**
   * Adds bytes to the file of an import, in the unit of work that has locked it.
   * @throws QuotaReached, and ImportNotInState if it was cancelled meanwhile
   */
  async append(job: Import, { accountId }: Project, plan: Plan, bytes: Buffer): Promise<void> {
    job.requireState('uploading');
    await this.files.append(job.id, job.fileBytes, bytes);
    await this.imports.reserveBytes(job.id, this.quotas.reservationOf(accountId, plan, 'importBytes'), bytes.length);
    await this.imports.update(job, { fileBytes: job.fileBytes + bytes.length });
  }

  /**
   * Begins the dry run, in the current unit of work.
   * @throws ImportNotInState
   */
  async close(job: Import, layout: FileLayout, columns: readonly string[]): Promise<void> {
    job.requireState('uploading');
    await this.imports.update(job, {
      layout,
      columns,
      readBytes: layout.start,
      sealedToken: null,
      listProgress: null,
    });
    await this.imports.beginPhase(job.id, 'checking');
    await this.queue.send(job.id);
  }
}
