import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../accounts/account.errors';
import { AccountRepository } from '../accounts/account.repository';
import type { Plan } from '../accounts/plan';
import { inTimeOfRequest } from '../kit/long-requests';
import type { Project } from '../projects/project';
import { Import } from '../import-model/import';
import { ImportQueue } from '../import-work/import-queue';
import { ImportRepository } from '../import-model/import.repository';
import type { StoredFile } from '../import-work/import-upload.service';

/** Imports of a project that have not come to their end. Each may hold a file of 200 MB. */
export const maxOpenImports = 5;

export type NewImportFields = Pick<Import, 'source' | 'format' | 'conflictPolicy' | 'options'>;

/** Opens imports for their rows, and lets the dry run begin once they are stored. */
@Injectable()
export class ImportIntake {
  constructor(
    private readonly imports: ImportRepository,
    private readonly accounts: AccountRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: ImportQueue,
    private readonly clock: Clock,
  ) {}

  /** @throws LimitReached */
  open(project: Project, plan: Plan, fields: NewImportFields): Promise<Import> {
    return this.unitOfWork.run(async () => {
      await this.accounts.lock(project.accountId);
      const used = await this.imports.countOpen(project.id);
      if (used >= maxOpenImports)
        throw new LimitReached('open imports', { limit: maxOpenImports, used, plan }, 'run or cancel one of them');
      return this.imports.insert(Import.create({ ...fields, projectId: project.id }));
    });
  }

  /**
   * Lets the dry run begin. The rows may have taken longer to arrive than a request may.
   * @throws NotFound, ImportNotInState
   */
  async close(projectId: string, id: string, { columns, rows, bytes }: StoredFile): Promise<void> {
    const changes = { columns, fileRows: rows, fileBytes: bytes };
    await inTimeOfRequest(() =>
      this.unitOfWork.run(async () => {
        requireFound(await this.imports.findForUpdate(projectId, id), 'Import').requireUploading();
        const phaseStartedAt = new Date(this.clock.now());
        await this.imports.update(id, { ...changes, state: 'checking', phaseStartedAt });
        await this.queue.send(id);
      }),
    );
    this.queue.wake();
  }
}
