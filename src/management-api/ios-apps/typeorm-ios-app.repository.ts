import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { type ListOf, Rows } from '../../platform/postgres/rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page, PageRequest } from '../../shared/page';
import { IosApp, type IosAppChanges, type IosAppSortKey, type NewIosApp } from './ios-app';
import { BundleIdExists, IosAppReferenced } from './ios-app.errors';
import { IosAppRepository } from './ios-app.repository';
import { IosAppSchema } from './ios-app.schema';

const apps: ListOf<IosAppSortKey> = {
  owner: 'project_id',
  searched: ['name', 'bundle_id'],
  sortColumns: { name: 'name COLLATE "C"', bundle_id: 'bundle_id', created_at: 'created_at', updated_at: 'updated_at' },
};

const one = 't.project_id = $1 AND t.id = $2';

@Injectable()
export class TypeormIosAppRepository extends IosAppRepository {
  readonly #rows: Rows<IosApp>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#rows = new Rows(context, IosAppSchema);
  }

  private get table(): Repository<IosApp> {
    return this.context.manager.getRepository(IosAppSchema);
  }

  async insert(fields: NewIosApp & { id: string; projectId: string }): Promise<IosApp> {
    const app = Object.assign(new IosApp(), fields);
    const refusals = { ...taken(fields.bundleId), ios_apps_project_fk: () => new NotFound('Project') };
    await mapConstraintErrors(refusals, () => this.table.insert(app));
    return app;
  }

  find(projectId: string, id: string): Promise<IosApp | null> {
    return this.#rows.find(one, [projectId, id]);
  }

  findForUpdate(projectId: string, id: string): Promise<IosApp | null> {
    return this.#rows.findForUpdate(one, [projectId, id]);
  }

  async findProjectOf(id: string): Promise<string | null> {
    const [row] = await this.context.read<{ project_id: string }>(
      `SELECT app.project_id FROM ios_apps app JOIN projects p ON p.id = app.project_id
       WHERE app.id = $1 AND p.deleted_at IS NULL`,
      [id],
    );
    return row?.project_id ?? null;
  }

  all(projectId: string): Promise<IosApp[]> {
    return this.#rows.findAll('t.project_id = $1 ORDER BY t.created_at, t.id', [projectId]);
  }

  list(projectId: string, request: PageRequest<IosAppSortKey>): Promise<Page<IosApp>> {
    return this.#rows.page(apps, projectId, request);
  }

  async update(projectId: string, id: string, changes: IosAppChanges): Promise<IosApp | null> {
    if (Object.keys(changes).length > 0)
      await mapConstraintErrors(taken(changes.bundleId), () => this.table.update({ projectId, id }, changes));
    return this.find(projectId, id);
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const refusals = { dynamic_links_ios_app_fk: () => new IosAppReferenced() };
    const { affected } = await mapConstraintErrors(refusals, () => this.table.delete({ projectId, id }));
    return affected === 1;
  }
}

const taken = (bundleId: string | undefined) => ({
  ios_apps_bundle_id_unique: () => new BundleIdExists(String(bundleId)),
});
