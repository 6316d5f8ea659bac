import type { EntitySchema } from 'typeorm';
import { brokenConstraint, mapConstraintErrors } from '../../platform/postgres/database-error';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Page, PageRequest } from '../../shared/page';
import type { MobileApp, MobileAppFields, NewMobileApp } from './mobile-app';
import { AppReferenced, type AppReferences } from './mobile-app.errors';
import { MobileAppRepository } from './mobile-app.repository';

/** Links that a refused deletion lists. */
const maxListedLinks = 5;

/** Attempts of a deletion whose last reference goes at the same time. */
const maxDeletionAttempts = 3;

/** The reference of dynamic links to the apps of one platform. */
interface LinkReference {
  column: 'ios_app_id' | 'android_app_id';
  constraint: string;
  /** The name of the resource in messages. */
  appName: string;
}

export abstract class TypeormMobileAppRepository<
  App extends MobileApp,
  SortKey extends string,
> extends MobileAppRepository<App, SortKey> {
  readonly #apps: OwnedRows<App, SortKey>;

  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema<App>,
    list: ListDefinition<SortKey>,
    private readonly reference: LinkReference,
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

  async findProjectsOf(ids: string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.context.read<{ id: string; project_id: string }>(
      `SELECT app.id, app.project_id FROM ${this.schema.options.tableName} app JOIN projects p ON p.id = app.project_id
       WHERE app.id = ANY ($1) AND p.deleted_at IS NULL`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.project_id]));
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

  async delete(projectId: string, id: string): Promise<boolean> {
    const { appName, column, constraint } = this.reference;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.context.attempt(() => this.#apps.delete(projectId, id));
      } catch (error) {
        if (brokenConstraint(error) !== constraint) throw error;
        const references = await this.#referencesOf(projectId, id);
        if (references.total > 0 || attempt === maxDeletionAttempts)
          throw new AppReferenced(appName, column, references);
      }
    }
  }

  async #referencesOf(projectId: string, id: string): Promise<AppReferences> {
    const links = `FROM dynamic_links WHERE project_id = $1 AND ${this.reference.column} = $2`;
    const [row] = await this.context.read<{ total: string; first: AppReferences['first'] }>(
      `SELECT (SELECT count(*) ${links}) AS total,
         (SELECT coalesce(json_agg(json_build_object('id', link.id, 'name', link.name, 'custom_path', link.custom_path)), '[]')
          FROM (SELECT id, name, custom_path ${links} ORDER BY created_at, id LIMIT ${maxListedLinks}) AS link) AS first`,
      [projectId, id],
    );
    return { total: Number(row!.total), first: row!.first };
  }
}
