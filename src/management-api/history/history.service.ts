import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Caller } from '../../tenancy/accounts/caller';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import type { JournalRow } from '../../tenancy/journal/journal-entry';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import type { Project } from '../../links/projects/project';
import { PgRestoredRowRepository, restorableKinds } from './pg-restored-row.repository';

const maxRestoredRows = 1000;

/** Undoes entries of the journal. The change that undoes one is an entry itself. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly journal: PgJournalRepository,
    private readonly restored: PgRestoredRowRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Gives the resources of an entry the values that they had before: inserts deleted ones again, with their ids, and sets changed
   * fields back.
   * @param resourceId restores only this one of a batch
   * @returns the number of resources
   * @throws NotFound, InvalidInput, QuotaReached, CannotRestore
   */
  async restore(project: Project, { plan }: Caller, sequence: number, resourceId: string | null): Promise<number> {
    const entry = requireFound(await this.journal.find(project.id, project.accountId, sequence), 'Entry');
    const [kind = '', action] = entry.type.split('.');
    if (!restorableKinds.includes(kind) || action === 'created')
      throw refused(
        'sequence',
        `Entry ${sequence} (${entry.type}) cannot be undone; only changes and deletions of links and apps can`,
      );
    const all: JournalRow[] =
      entry.resourceId === null ? entry.rows : [{ id: entry.resourceId, before: entry.before, after: entry.after }];
    const rows = all.filter(({ id }) => resourceId === null || id === resourceId);
    if (rows.length === 0) throw refused('resource_id', `Entry ${sequence} has no such resource`);
    if (rows.length > maxRestoredRows)
      throw refused('resource_id', `Entry ${sequence} has more than ${maxRestoredRows} resources; name one of them`);
    const isDeleted = action === 'deleted';
    return this.unitOfWork.run(async () => {
      for (const row of rows) {
        if (isDeleted && kind === 'link') await this.quotas.reserve(project.accountId, plan, 'dynamicLinks');
        if (await this.restored.restore(kind, project.id, row, isDeleted)) continue;
        if (isDeleted) throw refused('sequence', `The resource ${row.id} exists; it was restored before`);
        throw new NotFound('Resource');
      }
      return rows.length;
    });
  }
}

const refused = (field: string, message: string) => InvalidInput.asAWhole('invalid_format', message, [field]);
