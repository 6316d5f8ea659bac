import { NotFound } from '../../shared/domain-error';
import { requireFound } from '../../shared/require-found';
import { newId } from '../../shared/id';
import type { Page, PageRequest } from '../../shared/page';
import { type Precondition, updateIfUnchanged } from '../../shared/precondition';
import type { UnitOfWork } from '../../shared/unit-of-work';
import type { Project } from '../projects/project';
import type { MobileApp, MobileAppFields, NewMobileApp } from './mobile-app';
import type { MobileAppRepository } from './mobile-app.repository';

/** Implements the use cases of iOS and Android apps. */
export abstract class MobileAppsService<App extends MobileApp, SortKey extends string> {
  /** @param appName the name of the resource in messages */
  constructor(
    private readonly apps: MobileAppRepository<App, SortKey>,
    private readonly unitOfWork: UnitOfWork,
    private readonly appName: string,
  ) {}

  list(project: Project, request: PageRequest<SortKey>): Promise<Page<App>> {
    return this.apps.list(project.id, request);
  }

  /** @throws BundleIdExists, PackageNameExists */
  create(project: Project, fields: MobileAppFields<App>): Promise<App> {
    return this.apps.insert({ ...fields, id: newId(), projectId: project.id } as unknown as NewMobileApp<App>);
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<App> {
    return requireFound(await this.apps.find(project.id, id), this.appName);
  }

  /** @throws NotFound, BundleIdExists, PackageNameExists, and what the precondition throws */
  update(
    project: Project,
    id: string,
    changes: Partial<MobileAppFields<App>>,
    precondition?: Precondition<App>,
  ): Promise<App> {
    return this.change(project, id, precondition, async () =>
      requireFound(await this.apps.update(project.id, id, changes), this.appName),
    );
  }

  /** @throws NotFound, IosAppReferenced, AndroidAppReferenced, and what the precondition throws */
  delete(project: Project, id: string, precondition?: Precondition<App>): Promise<void> {
    return this.change(project, id, precondition, async () => {
      if (!(await this.apps.delete(project.id, id))) throw new NotFound(this.appName);
    });
  }

  private change<R>(
    project: Project,
    id: string,
    precondition: Precondition<App> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => requireFound(await this.apps.findForUpdate(project.id, id), this.appName);
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}
