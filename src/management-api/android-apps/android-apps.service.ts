import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project';
import { NotFound } from '../../shared/domain-error';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import { newId } from '../../shared/id';
import type { Page, PageRequest } from '../../shared/page';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { AndroidApp, AndroidAppChanges, AndroidAppSortKey, NewAndroidApp } from './android-app';
import { AndroidAppRepository } from './android-app.repository';

@Injectable()
export class AndroidAppsService {
  constructor(
    private readonly apps: AndroidAppRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(project: Project, request: PageRequest<AndroidAppSortKey>): Promise<Page<AndroidApp>> {
    return this.apps.list(project.id, request);
  }

  /** @throws PackageNameExists */
  create(project: Project, fields: NewAndroidApp): Promise<AndroidApp> {
    return this.apps.insert({ ...fields, id: newId(), projectId: project.id });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<AndroidApp> {
    return found(await this.apps.find(project.id, id));
  }

  /** @throws NotFound, PackageNameExists, and what `expected` throws */
  update(
    project: Project,
    id: string,
    changes: AndroidAppChanges,
    precondition?: Precondition<AndroidApp>,
  ): Promise<AndroidApp> {
    return this.change(project, id, precondition, async () => found(await this.apps.update(project.id, id, changes)));
  }

  /** @throws NotFound, AndroidAppReferenced, and what `expected` throws */
  delete(project: Project, id: string, precondition?: Precondition<AndroidApp>): Promise<void> {
    return this.change(project, id, precondition, async () => {
      if (!(await this.apps.delete(project.id, id))) throw new NotFound('Android app');
    });
  }

  private change<R>(
    project: Project,
    id: string,
    precondition: Precondition<AndroidApp> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => found(await this.apps.findForUpdate(project.id, id));
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}

function found(app: AndroidApp | null): AndroidApp {
  if (!app) throw new NotFound('Android app');
  return app;
}
