import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { outsideRequests } from '../../platform/postgres/deadline';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { QuotaReservation } from '../accounts/quotas';
import type { Import, ImportFailure, NewImport } from './import';
import type { ImportState } from './import-state';
import { outcomes } from './import-row';
import { type ImportListRequest, ImportRepository } from './import.repository';
import { ImportSchema } from './import.schema';

/** The age of an upload whose process has died. An upload that lives ends within half an hour (`maxUploadMs`). */
const abandonedUploadMs = 3_600_000;

/** Days that reports of imports are kept, and imports that nobody runs. */
export const retentionDays = 30;

/** Imports of a project that are kept. Older ones that have ended go. */
export const maxKeptImports = 20;

const live = 't.deleted_at IS NULL';

const list: ListDefinition<'created_at'> = {
  owner: 'project_id',
  only: live,
  sortColumns: { created_at: 'created_at' },
};

@Injectable()
export class TypeormImportRepository extends ImportRepository {
  readonly #imports: OwnedRows<Import, 'created_at'>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#imports = new OwnedRows<Import, 'created_at'>(context, ImportSchema, list);
  }

  async insert(created: NewImport): Promise<Import> {
    const errors = { imports_project_fk: () => new NotFound('Project') };
    await mapConstraintErrors(errors, () => this.#imports.insert(created as Import));
    await this.context.read('SELECT create_import_data($1)', [created.id]);
    return (await this.find(created.projectId, created.id))!;
  }

  async find(projectId: string, id: string): Promise<Import | null> {
    return withNumbers(await this.#imports.find(projectId, id));
  }

  async findForUpdate(projectId: string, id: string): Promise<Import | null> {
    return withNumbers(await this.#imports.findForUpdate(projectId, id));
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
    return { items: items.map((row) => withNumbers(row)), total };
  }

  async countOpen(projectId: string): Promise<number> {
    const [row] = await this.context.read<{ open: number }>(
      `SELECT count(*)::int AS open FROM imports
       WHERE project_id = $1 AND deleted_at IS NULL AND state IN ('uploading', 'checking', 'ready', 'running')`,
      [projectId],
    );
    return row!.open;
  }

  async update({ projectId, id }: Import, changes: Partial<Import>): Promise<void> {
    await this.#imports.update(projectId, id, changes);
  }

  async beginPhase(id: string, state: 'checking' | 'running'): Promise<void> {
    await this.context.write(
      `UPDATE imports SET state = $2, phase_started_at = now(), attempts = 0, attempted_by = NULL, updated_at = now()
       WHERE id = $1 RETURNING id`,
      [id, state],
    );
  }

  async end(job: Pick<Import, 'id' | 'state'>, state: 'completed' | 'cancelled' | ImportFailure): Promise<void> {
    const [name, failure] = typeof state === 'string' ? [state, null] : ['failed', state];
    await this.context.write(
      `UPDATE imports SET state = $3, failure_code = $4, failure = $5, reserved_links = 0, sealed_token = NULL, list_progress = NULL,
         phase_started_at = NULL, finished_at = now(), updated_at = now()
       WHERE id = $1 AND state = $2 RETURNING id`,
      [job.id, job.state, name, failure?.code, failure?.message],
    );
  }

  async remove(id: string): Promise<void> {
    await this.context.write(
      'UPDATE imports SET deleted_at = now(), reserved_links = 0, sealed_token = NULL WHERE id = $1 RETURNING id',
      [id],
    );
  }

  async attempt(id: string, processId: string): Promise<{ attempts: number; state: ImportState } | null> {
    const [row] = await this.context.write<{ attempts: number; state: ImportState }>(
      `UPDATE imports SET attempted_by = $2, attempted_at = read_bytes + processed + file_bytes, attempts = CASE
         WHEN attempted_by <> $2 AND attempted_at = read_bytes + processed + file_bytes THEN attempts + 1 ELSE 0 END
       WHERE id = $1 AND deleted_at IS NULL RETURNING attempts::int, state`,
      [id, processId],
    );
    return row ?? null;
  }

  async settle(id: string): Promise<void> {
    await this.context.write('UPDATE imports SET attempted_by = NULL WHERE id = $1 RETURNING id', [id]);
  }

  async reserveBytes(id: string, quota: QuotaReservation | undefined, bytes: number): Promise<void> {
    const errors = { import_bytes_quota: (used: string | undefined) => quota!.reached(Number(used), bytes) };
    await mapConstraintErrors(errors, () =>
      this.context.read('SELECT reserve_import_bytes($1, $2, $3)', [id, quota?.limit ?? null, bytes]),
    );
  }

  async reserveLinks(quota: QuotaReservation, links: number): Promise<void> {
    const errors = { dynamic_links_quota: (used: string | undefined) => quota.reached(Number(used), links) };
    await mapConstraintErrors(errors, () =>
      this.context.read('SELECT reserve_dynamic_links($1, $2, $3)', [quota.accountId, quota.limit, links]),
    );
  }

  async removeExpired(): Promise<void> {
    await this.context.write(
      `UPDATE imports SET deleted_at = now(), reserved_links = 0
       WHERE deleted_at IS NULL AND (
         (state = 'uploading' AND list IS NULL AND updated_at < now() - $1 * interval '1 ms')
         OR (state IN ('ready', 'completed', 'cancelled', 'failed') AND updated_at < now() - $2 * interval '1 day')
         OR id IN (
           SELECT id FROM (
             SELECT id, state, row_number() OVER (PARTITION BY project_id ORDER BY created_at DESC, id DESC) AS place
             FROM imports WHERE deleted_at IS NULL
           ) AS ranked
           WHERE place > $3 AND state IN ('completed', 'cancelled', 'failed')
         )
       ) RETURNING id`,
      [abandonedUploadMs, retentionDays, maxKeptImports],
    );
  }

  async purgeSome(batch: number): Promise<boolean> {
    const [row] = await outsideRequests(() =>
      this.context.read<{ done: boolean }>('SELECT purge_imports($1) AS done', [batch]),
    );
    return row!.done;
  }
}

const numbers = ['fileRows', 'fileBytes', 'readBytes', 'processed', 'reservedLinks', ...outcomes] as const;

/** Reads the numbers of a row, because the driver reads `bigint` as text. */
function withNumbers<T extends Import | null>(row: T): T {
  return row && Object.assign(row, Object.fromEntries(numbers.map((name) => [name, Number(row[name])])));
}
