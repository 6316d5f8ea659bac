import type { EntitySchema, FindOptionsOrder, FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { findLocked } from '../../platform/tables/find-locked';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { readPage } from '../../platform/tables/typeorm-page';
import { updateRow } from '../../platform/tables/update-row';
import type { Page, PageRequest } from '../../shared/page';
import type { MobileApp, MobileAppFields, NewMobileApp } from './mobile-app';
import { MobileAppRepository } from './mobile-app.repository';
import { deleteUnreferenced, type LinkReference, projectsOfApps } from './pg-app-references';

export abstract class TypeormMobileAppRepository<
  App extends MobileApp,
  SortKey extends string,
> extends MobileAppRepository<App, SortKey> {
  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema<App>,
    private readonly searched: readonly string[],
    private readonly reference: LinkReference,
  ) {
    super();
  }

  /** Maps the constraints that a write can violate to errors. `fields` are those that the write sets. */
  protected abstract errorsByConstraint(fields: Partial<MobileAppFields<App>>): Record<string, () => Error>;

  get #apps(): Repository<App> {
    return this.context.manager.getRepository(this.schema);
  }

  async insert(app: NewMobileApp<App>): Promise<App> {
    const row = { ...app } as App;
    const insert = () => this.context.run(() => this.#apps.insert(row as QueryDeepPartialEntity<App>));
    await mapConstraintErrors(this.errorsByConstraint(row), insert);
    return row;
  }

  find(projectId: string, id: string): Promise<App | null> {
    return this.#apps.findOneBy(one<App>(projectId, id));
  }

  findForUpdate(projectId: string, id: string): Promise<App | null> {
    return findLocked(this.#apps, one<App>(projectId, id));
  }

  async findProjectsOf(ids: string[]): Promise<Map<string, string>> {
    return ids.length === 0 ? new Map() : projectsOfApps(this.context, this.reference.table, ids);
  }

  all(projectId: string): Promise<App[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as FindOptionsOrder<App>;
    return this.#apps.find({ where: { projectId } as FindOptionsWhere<App>, order });
  }

  list(projectId: string, request: PageRequest<SortKey>): Promise<Page<App>> {
    const query = this.#apps.createQueryBuilder('t').where({ projectId });
    return readPage(this.context, query, this.searched, request);
  }

  update(projectId: string, id: string, changes: Partial<MobileAppFields<App>>): Promise<App | null> {
    return mapConstraintErrors(this.errorsByConstraint(changes), () =>
      updateRow(this.context, this.schema, one<App>(projectId, id), changes as Partial<App>),
    );
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const remove = () => this.context.run(() => this.#apps.delete(one<App>(projectId, id)));
    const { affected } = await deleteUnreferenced(this.context, this.reference, projectId, id, remove);
    return affected === 1;
  }
}

const one = <App extends MobileApp>(projectId: string, id: string) => ({ projectId, id }) as FindOptionsWhere<App>;
