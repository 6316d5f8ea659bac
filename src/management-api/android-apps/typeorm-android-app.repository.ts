import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { type ListOf, Rows } from '../../platform/postgres/rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page, PageRequest } from '../../shared/page';
import { AndroidApp, type AndroidAppChanges, type AndroidAppSortKey, type NewAndroidApp } from './android-app';
import { PackageNameExists, AndroidAppReferenced } from './android-app.errors';
import { AndroidAppRepository } from './android-app.repository';
import { AndroidAppSchema } from './android-app.schema';

const apps: ListOf<AndroidAppSortKey> = {
  owner: 'project_id',
  searched: ['name', 'package_name'],
  sortColumns: {
    name: 'name COLLATE "C"',
    package_name: 'package_name',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
};

const one = 't.project_id = $1 AND t.id = $2';

@Injectable()
export class TypeormAndroidAppRepository extends AndroidAppRepository {
  readonly #rows: Rows<AndroidApp>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#rows = new Rows(context, AndroidAppSchema);
  }

  private get table(): Repository<AndroidApp> {
    return this.context.manager.getRepository(AndroidAppSchema);
  }

  async insert(fields: NewAndroidApp & { id: string; projectId: string }): Promise<AndroidApp> {
    const app = Object.assign(new AndroidApp(), fields);
    const refusals = { ...taken(fields.packageName), android_apps_project_fk: () => new NotFound('Project') };
    await mapConstraintErrors(refusals, () => this.table.insert(app));
    return app;
  }

  find(projectId: string, id: string): Promise<AndroidApp | null> {
    return this.#rows.find(one, [projectId, id]);
  }

  findForUpdate(projectId: string, id: string): Promise<AndroidApp | null> {
    return this.#rows.findForUpdate(one, [projectId, id]);
  }

  async findProjectOf(id: string): Promise<string | null> {
    const [row] = await this.context.read<{ project_id: string }>(
      `SELECT app.project_id FROM android_apps app JOIN projects p ON p.id = app.project_id
       WHERE app.id = $1 AND p.deleted_at IS NULL`,
      [id],
    );
    return row?.project_id ?? null;
  }

  all(projectId: string): Promise<AndroidApp[]> {
    return this.#rows.findAll('t.project_id = $1 ORDER BY t.created_at, t.id', [projectId]);
  }

  list(projectId: string, request: PageRequest<AndroidAppSortKey>): Promise<Page<AndroidApp>> {
    return this.#rows.page(apps, projectId, request);
  }

  async update(projectId: string, id: string, changes: AndroidAppChanges): Promise<AndroidApp | null> {
    if (Object.keys(changes).length > 0)
      await mapConstraintErrors(taken(changes.packageName), () => this.table.update({ projectId, id }, changes));
    return this.find(projectId, id);
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const refusals = { dynamic_links_android_app_fk: () => new AndroidAppReferenced() };
    const { affected } = await mapConstraintErrors(refusals, () => this.table.delete({ projectId, id }));
    return affected === 1;
  }
}

const taken = (packageName: string | undefined) => ({
  android_apps_package_name_unique: () => new PackageNameExists(String(packageName)),
});
