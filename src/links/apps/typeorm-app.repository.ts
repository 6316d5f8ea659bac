import { Injectable } from '@nestjs/common';
import type { FindOptionsOrder, FindOptionsWhere } from 'typeorm';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import type { Page, PageRequest } from '../../shared/page';
import { lockProject } from '../projects/pg-project-lock';
import type { App, AppChanges, AppPlatform, NewApp } from './app';
import { appPlatforms } from './app-platforms';
import { AppRepository } from './app.repository';
import { appSchemas, appTables, errorsByConstraint } from './app.schema';
import { deleteUnreferenced } from '../../link-paths/paths/pg-link-references';

@Injectable()
export class TypeormAppRepository implements AppRepository {
  constructor(private readonly context: TransactionContext) {}

  lock(projectId: string): Promise<void> {
    return lockProject(this.context, projectId);
  }

  async count(projectId: string): Promise<number> {
    // A separate statement, because one that waits for the lock counts the rows of its start.
    const [row] = await this.context.read<{ count: string }>(
      `SELECT (SELECT count(*) FROM ios_apps WHERE project_id = $1)
            + (SELECT count(*) FROM android_apps WHERE project_id = $1) AS count`,
      [projectId],
    );
    return Number(row!.count);
  }

  async findProjectsOf(platform: AppPlatform, ids: string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.context.read<{ id: string; project_id: string }>(
      `SELECT app.id, app.project_id FROM ${appTables[platform].name} app JOIN projects p ON p.id = app.project_id
       WHERE app.id = ANY ($1) AND p.deleted_at IS NULL`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.project_id]));
  }

  insert<P extends AppPlatform>(platform: P, app: NewApp<P>): Promise<App<P>> {
    return this.#apps(platform).insert({ ...app } as App<P>, errorsByConstraint(app));
  }

  find<P extends AppPlatform>(platform: P, projectId: string, id: string): Promise<App<P> | null> {
    return this.#apps(platform).find(one<P>(projectId, id));
  }

  findForUpdate<P extends AppPlatform>(platform: P, projectId: string, id: string): Promise<App<P> | null> {
    return this.#apps(platform).findForUpdate(one<P>(projectId, id));
  }

  all<P extends AppPlatform>(platform: P, projectId: string): Promise<App<P>[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as FindOptionsOrder<App<P>>;
    return this.#apps(platform).repository.find({ where: { projectId } as FindOptionsWhere<App<P>>, order });
  }

  list<P extends AppPlatform>(platform: P, projectId: string, request: PageRequest<string>): Promise<Page<App<P>>> {
    const apps = this.#apps(platform);
    const query = apps.query({ projectId } as FindOptionsWhere<App<P>>);
    return apps.page(query, appTables[platform].searched, request);
  }

  update<P extends AppPlatform>(platform: P, projectId: string, id: string, changes: AppChanges<P>) {
    const where = one<P>(projectId, id);
    return this.#apps(platform).update(where, changes as Partial<App<P>>, errorsByConstraint(changes));
  }

  delete(platform: AppPlatform, projectId: string, id: string): Promise<boolean> {
    const remove = () => this.#apps(platform).delete(one(projectId, id));
    const { linkColumn: column, linkConstraint: constraint } = appTables[platform];
    const reference = { noun: appPlatforms[platform].appName, column, constraint };
    return deleteUnreferenced(this.context, reference, projectId, id, remove);
  }

  #apps<P extends AppPlatform>(platform: P): EntityRows<App<P>> {
    return new EntityRows(this.context, appSchemas[platform]);
  }
}

const one = <P extends AppPlatform>(projectId: string, id: string) => ({ projectId, id }) as FindOptionsWhere<App<P>>;
