import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { outsideRequests } from '../../platform/postgres/deadline';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { QuotaReservation } from '../accounts/quotas';
import { Import, type ImportChanges, type ImportFailure, type NewImport } from './import';
import type { ImportState } from './import-state';
import { type ImportListRequest, ImportRepository } from './import.repository';
import { type ImportColumns, ImportSchema } from './import.schema';

const live = 't.deleted_at IS NULL';

const list: ListDefinition<'created_at'> = {
  owner: 'project_id',
  only: live,
  sortColumns: { created_at: 'created_at' },
};

@Injectable()
export class TypeormImportRepository extends ImportRepository {
  readonly #imports: OwnedRows<ImportColumns, 'created_at'>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#imports = new OwnedRows<ImportColumns, 'created_at'>(context, ImportSchema, list);
  }

  async insert(created: NewImport): Promise<Import> {
    const errors = { imports_project_fk: () => new NotFound('Project') };
    await mapConstraintErrors(errors, () => this.#imports.insert(created as ImportColumns));
    return (await this.find(created.projectId, created.id))!;
  }

  async find(projectId: string, id: string): Promise<Import | null> {
    return toImport(await this.#imports.find(projectId, id));
  }

  async findForUpdate(projectId: string, id: string): Promise<Import | null> {
    return toImport(await this.#imports.findForUpdate(projectId, id));
  }

  async findPlace(id: string): Promise<{ projectId: string; state: ImportState } | null> {
    const [row] = await this.context.read<{ projectId: string; state: ImportState }>(
      'SELECT project_id AS "projectId", state FROM imports WHERE id = $1 AND deleted_at IS NULL',
      [id],
    );
    return row ?? null;
  }

  async list(projectId: string, request: ImportListRequest): Promise<Page<Import>> {
    const { items, total } = await this.#imports.page(projectId, { ...request, sortBy: 'created_at' });
    return { items: items.map((row) => toImport(row)!), total };
  }

  async countOpen(projectId: string): Promise<number> {
    const [row] = await this.context.read<{ open: number }>(
      `SELECT count(*)::int AS open FROM imports
       WHERE project_id = $1 AND deleted_at IS NULL AND state IN ('uploading', 'checking', 'ready', 'running')`,
      [projectId],
    );
    return row!.open;
  }

  async update(id: string, changes: ImportChanges): Promise<void> {
    const { counts, ...others } = changes;
    const columns = {
      ...others,
      ...(counts && {
        created: counts.created,
        replaced: counts.replaced,
        unchanged: counts.unchanged,
        conflicts: counts.conflict,
        refused: counts.refused,
      }),
    } as Partial<ImportColumns>;
    const [row] = await this.context.read<{ project_id: string }>('SELECT project_id FROM imports WHERE id = $1', [id]);
    if (row) await this.#imports.update(row.project_id, id, columns);
  }

  async touchUpload(id: string): Promise<boolean> {
    const touched = await this.context.write(
      `UPDATE imports SET updated_at = now()
       WHERE id = $1 AND state = 'uploading' AND deleted_at IS NULL
         AND EXISTS (SELECT FROM projects WHERE projects.id = project_id AND projects.deleted_at IS NULL)
       RETURNING id`,
      [id],
    );
    return touched.length > 0;
  }

  async failUpload(id: string, { code, message }: ImportFailure): Promise<void> {
    await this.context.write(
      `UPDATE imports SET state = 'failed', failure_code = $2, failure = $3, finished_at = now(), updated_at = now()
       WHERE id = $1 AND state = 'uploading' RETURNING id`,
      [id, code, message],
    );
  }

  async failSilentFetches(silentSince: Date, { code, message }: ImportFailure): Promise<void> {
    await this.context.write(
      `UPDATE imports SET state = 'failed', failure_code = $2, failure = $3, finished_at = now(), updated_at = now()
       WHERE deleted_at IS NULL AND state = 'uploading' AND format = 'api' AND updated_at < $1 RETURNING id`,
      [silentSince, code, message],
    );
  }

  async remove(id: string): Promise<void> {
    await this.context.write('UPDATE imports SET deleted_at = now(), reserved_links = 0 WHERE id = $1 RETURNING id', [
      id,
    ]);
  }

  async reserveLinks(quota: QuotaReservation, links: number): Promise<void> {
    const errors = { dynamic_links_quota: (used: string | undefined) => quota.reached(Number(used), links) };
    await mapConstraintErrors(errors, () =>
      this.context.read('SELECT reserve_dynamic_links($1, $2, $3)', [quota.accountId, quota.limit, links]),
    );
  }

  async removeExpired(limits: { uploadBefore: Date; finishedBefore: Date; maxPerProject: number }): Promise<void> {
    await this.context.write(
      `UPDATE imports SET deleted_at = now(), reserved_links = 0
       WHERE deleted_at IS NULL AND (
         (state = 'uploading' AND updated_at < $1)
         OR (state IN ('ready', 'completed', 'cancelled', 'failed') AND updated_at < $2)
         OR id IN (
           SELECT id FROM (
             SELECT id, state, row_number() OVER (PARTITION BY project_id ORDER BY created_at DESC, id DESC) AS place
             FROM imports WHERE deleted_at IS NULL
           ) AS ranked
           WHERE place > $3 AND state IN ('completed', 'cancelled', 'failed')
         )
       ) RETURNING id`,
      [limits.uploadBefore, limits.finishedBefore, limits.maxPerProject],
    );
  }

  async purgeSome(batch: number): Promise<boolean> {
    const [row] = await outsideRequests(() =>
      this.context.read<{ done: boolean }>('SELECT purge_imports($1) AS done', [batch]),
    );
    return row!.done;
  }
}

function toImport(row: ImportColumns | null): Import | null {
  if (!row) return null;
  const { created, replaced, unchanged, conflicts, refused, ...fields } = row;
  return Import.of({
    ...fields,
    fileRows: Number(fields.fileRows),
    fileBytes: Number(fields.fileBytes),
    processed: Number(fields.processed),
    reservedLinks: Number(fields.reservedLinks),
    counts: {
      created: Number(created),
      replaced: Number(replaced),
      unchanged: Number(unchanged),
      conflict: Number(conflicts),
      refused: Number(refused),
    },
  });
}
