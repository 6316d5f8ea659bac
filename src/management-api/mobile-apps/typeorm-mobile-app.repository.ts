import type { EntitySchema } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListOf } from '../../platform/postgres/list-sql';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Page, PageRequest } from '../../shared/page';
import type { MobileApp, MobileAppFields, NewMobileApp } from './mobile-app';
import { MobileAppRepository } from './mobile-app.repository';

export abstract class TypeormMobileAppRepository<
  App extends MobileApp,
  SortKey extends string,
> extends MobileAppRepository<App, SortKey> {
  readonly #apps: OwnedRows<App, SortKey>;

  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema<App>,
    list: ListOf<SortKey>,
  ) {
    super();
    this.#apps = new OwnedRows(context, schema, list);
  }

  /** Maps the constraints that a write can violate to errors. `fields` are those that the write sets. */
  protected abstract errorsByConstraint(fields: Partial<MobileAppFields<App>>): Record<string, () => Error>;

  insert(app: NewMobileApp<App>): Promise<App> {
    return mapConstraintErrors(this.errorsByConstraint(app as App), () => this.#apps.insert({ ...app }));
  }

  find(projectId: string, id: string): Promise<App | null> {
    return this.#apps.find(projectId, id);
  }

  findForUpdate(projectId: string, id: string): Promise<App | null> {
    return this.#apps.findForUpdate(projectId, id);
  }

  async findProjectOf(id: string): Promise<string | null> {
    const [row] = await this.context.read<{ project_id: string }>(
      `SELECT app.project_id FROM ${this.schema.options.tableName} app JOIN projects p ON p.id = app.project_id
       WHERE app.id = $1 AND p.deleted_at IS NULL`,
      [id],
    );
    return row?.project_id ?? null;
  }

  all(projectId: string): Promise<App[]> {
    return this.#apps.findAll('t.project_id = $1 ORDER BY t.created_at, t.id', [projectId]);
  }

  list(projectId: string, request: PageRequest<SortKey>): Promise<Page<App>> {
    return this.#apps.page(projectId, request);
  }

  update(projectId: string, id: string, changes: Partial<MobileAppFields<App>>): Promise<App | null> {
    return mapConstraintErrors(this.errorsByConstraint(changes), () =>
      this.#apps.update(projectId, id, changes as Partial<App>),
    );
  }

  delete(projectId: string, id: string): Promise<boolean> {
    return mapConstraintErrors(this.errorsByConstraint({}), () => this.#apps.delete(projectId, id));
  }
}
