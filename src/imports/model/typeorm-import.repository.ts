import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { EntityRows } from '../../platform/tables/entity-rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page, PageRequest } from '../../shared/page';
import type { QuotaReservation } from '../../tenancy/accounts/quotas';
import type { Import, ImportFailure, NewImport } from './import';
import { type StoredImport, ImportSchema } from './import.schema';
import type { ImportState } from './import-state';

const open: ImportState[] = ['uploading', 'checking', 'ready', 'running'];
const now = () => 'now()';
/** The change of an import that needs its quota and its token no longer. */
const empty = { reservedLinks: 0, sealedToken: null };

export type ImportListRequest = Pick<PageRequest<string>, 'page' | 'limit' | 'sortOrder'>;

@Injectable()
export class TypeormImportRepository {
  readonly #imports: EntityRows<StoredImport>;

  constructor(private readonly context: TransactionContext) {
    this.#imports = new EntityRows(context, ImportSchema);
  }

  /** @throws NotFound if the project is gone */
  insert(created: NewImport): Promise<Import> {
    const errors = { imports_project_fk: () => new NotFound('Project') };
    return this.context.run(async () => {
      await this.#imports.insert({ ...created }, errors);
      await this.context.write('SELECT create_import_data($1)', [created.id]);
      return (await this.find(created.projectId, created.id))!;
    });
  }

  find(projectId: string, id: string): Promise<Import | null> {
    return this.#imports.find({ projectId, id });
  }

  findForUpdate(projectId: string, id: string): Promise<Import | null> {
    return this.#imports.findForUpdate({ projectId, id });
  }

  /** Returns the id of the project that has the import; null if no import has the id. */
  findPlace(id: string): Promise<{ projectId: string; state: ImportState } | null> {
    return this.#imports.repository.findOne({ select: { projectId: true, state: true }, where: { id } });
  }

  list(projectId: string, request: ImportListRequest): Promise<Page<Import>> {
    return this.#imports.page(this.#imports.query({ projectId }), [], { ...request, sortBy: 'created_at' });
  }

  /** Counts imports of the project that have not come to their end. */
  countOpen(projectId: string): Promise<number> {
    return this.#imports.repository.countBy({ projectId, state: In(open) });
  }

  async update({ projectId, id }: Import, changes: Partial<Import>): Promise<void> {
    await this.#imports.update({ projectId, id, deletedAt: IsNull() }, changes);
  }

  async beginPhase(id: string, state: 'checking' | 'running'): Promise<void> {
    const changes = { state, phaseStartedAt: now, attempts: 0, attemptedBy: null };
    await this.context.run(() => this.#imports.repository.update({ id }, changes));
  }

  /** Ends the import unless its state has changed meanwhile, and frees the quota of links. */
  async end(job: Pick<Import, 'id' | 'state'>, state: 'completed' | 'cancelled' | ImportFailure): Promise<void> {
    const ended =
      typeof state === 'string'
        ? { state, failureCode: null, failure: null }
        : { state: 'failed' as const, failureCode: state.code, failure: state.message };
    const changes = { ...ended, ...empty, listProgress: null, phaseStartedAt: null, finishedAt: now };
    await this.context.run(() => this.#imports.repository.update({ id: job.id, state: job.state }, changes));
  }

  /** Takes the import away at once. Its tables go with the next purge. */
  async remove(id: string): Promise<void> {
    await this.context.run(() => this.#imports.repository.update({ id }, { ...empty, deletedAt: now }));
  }

  /**
   * Counts bytes that the import stores, and locks the account until the unit of work ends.
   * @throws QuotaReached
   */
  async reserveBytes(id: string, quota: QuotaReservation | undefined, bytes: number): Promise<void> {
    const errors = { import_bytes_quota: (used: string | undefined) => quota!.reached(Number(used), bytes) };
    await mapConstraintErrors(errors, () =>
      this.context.write('SELECT reserve_import_bytes($1, $2, $3)', [id, quota?.limit ?? null, bytes]),
    );
  }

  /**
   * Checks that so many more links fit into the quota, and locks the account until the unit of work ends.
   * @throws QuotaReached
   */
  async reserveLinks(quota: QuotaReservation, links: number): Promise<void> {
    const errors = { dynamic_links_quota: (used: string | undefined) => quota.reached(Number(used), links) };
    await mapConstraintErrors(errors, () =>
      this.context.write('SELECT reserve_dynamic_links($1, $2, $3)', [quota.accountId, quota.limit, links]),
    );
  }
}
