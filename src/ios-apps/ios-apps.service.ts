import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project';
import { NotFound } from '../shared/domain-error';
import { newId } from '../shared/id';
import type { Page, PageRequest } from '../shared/page';
import type { IosApp, IosAppChanges, IosAppSortKey, NewIosApp } from './ios-app';
import { IosAppRepository } from './ios-app.repository';

@Injectable()
export class IosAppsService {
  constructor(private readonly apps: IosAppRepository) {}

  list(project: Project, request: PageRequest<IosAppSortKey>): Promise<Page<IosApp>> {
    return this.apps.list(project.id, request);
  }

  /** @throws BundleIdExists */
  create(project: Project, fields: NewIosApp): Promise<IosApp> {
    return this.apps.insert({ ...fields, id: newId(), projectId: project.id });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<IosApp> {
    const app = await this.apps.find(project.id, id);
    if (!app) throw new NotFound('iOS app');
    return app;
  }

  /** @throws NotFound, BundleIdExists */
  async update(project: Project, id: string, changes: IosAppChanges): Promise<IosApp> {
    const app = await this.apps.update(project.id, id, changes);
    if (!app) throw new NotFound('iOS app');
    return app;
  }

  /** @throws NotFound, IosAppReferenced */
  async delete(project: Project, id: string): Promise<void> {
    if (!(await this.apps.delete(project.id, id))) throw new NotFound('iOS app');
  }
}
