import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project';
import { NotFound } from '../shared/domain-error';
import { newId } from '../shared/id';
import type { Page, PageRequest } from '../shared/page';
import type { AndroidApp, AndroidAppChanges, AndroidAppSortKey, NewAndroidApp } from './android-app';
import { AndroidAppRepository } from './android-app.repository';

@Injectable()
export class AndroidAppsService {
  constructor(private readonly apps: AndroidAppRepository) {}

  list(project: Project, request: PageRequest<AndroidAppSortKey>): Promise<Page<AndroidApp>> {
    return this.apps.list(project.id, request);
  }

  /** @throws PackageNameExists */
  create(project: Project, fields: NewAndroidApp): Promise<AndroidApp> {
    return this.apps.insert({ ...fields, id: newId(), projectId: project.id });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<AndroidApp> {
    const app = await this.apps.find(project.id, id);
    if (!app) throw new NotFound('Android app');
    return app;
  }

  /** @throws NotFound, PackageNameExists */
  async update(project: Project, id: string, changes: AndroidAppChanges): Promise<AndroidApp> {
    const app = await this.apps.update(project.id, id, changes);
    if (!app) throw new NotFound('Android app');
    return app;
  }

  /** @throws NotFound, AndroidAppReferenced */
  async delete(project: Project, id: string): Promise<void> {
    if (!(await this.apps.delete(project.id, id))) throw new NotFound('Android app');
  }
}
