import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project';
import { NotFound } from '../../shared/domain-error';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import { newId } from '../../shared/id';
import type { Page, PageRequest } from '../../shared/page';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { IosApp, IosAppChanges, IosAppSortKey, NewIosApp } from './ios-app';
import { IosAppRepository } from './ios-app.repository';

@Injectable()
export class IosAppsService {
  constructor(
    private readonly apps: IosAppRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(project: Project, request: PageRequest<IosAppSortKey>): Promise<Page<IosApp>> {
    return this.apps.list(project.id, request);
  }

  /** @throws BundleIdExists */
  create(project: Project, fields: NewIosApp): Promise<IosApp> {
    return this.apps.insert({ ...fields, id: newId(), projectId: project.id });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<IosApp> {
    return found(await this.apps.find(project.id, id));
  }

  /** @throws NotFound, BundleIdExists, and what `expected` throws */
  update(project: Project, id: string, changes: IosAppChanges, precondition?: Precondition<IosApp>): Promise<IosApp> {
    return this.change(project, id, precondition, async () => found(await this.apps.update(project.id, id, changes)));
  }

  /** @throws NotFound, IosAppReferenced, and what `expected` throws */
  delete(project: Project, id: string, precondition?: Precondition<IosApp>): Promise<void> {
    return this.change(project, id, precondition, async () => {
      if (!(await this.apps.delete(project.id, id))) throw new NotFound('iOS app');
    });
  }

  private change<R>(
    project: Project,
    id: string,
    precondition: Precondition<IosApp> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => found(await this.apps.findForUpdate(project.id, id));
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}

function found(app: IosApp | null): IosApp {
  if (!app) throw new NotFound('iOS app');
  return app;
}
