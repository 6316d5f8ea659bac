import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import type { Page, PageRequest } from '../../shared/page';
import { type Precondition, updateIfUnchanged } from '../../shared/precondition';
import { InvalidInput } from '../../shared/problem';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Plan } from '../../tenancy/accounts/plan';
import { fileBytes, maxFileBytes } from '../association-files/association-file';
import type { Project } from '../projects/project';
import type { App, AppChanges, AppFields, AppPlatform, NewApp } from './app';
import { appPlatforms } from './app-platforms';
import { AssociationFileFull } from './app.errors';
import { AppRepository } from './app.repository';

export class AppSettings {
  /** Apps per project, iOS and Android together. */
  readonly perProject: number;
}

@Injectable()
export class AppsService {
  constructor(
    private readonly apps: AppRepository,
    private readonly settings: AppSettings,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list<P extends AppPlatform>(platform: P, project: Project, request: PageRequest<string>): Promise<Page<App<P>>> {
    return this.apps.list(platform, project.id, request);
  }

  /** @throws InvalidInput, NotFound, LimitReached, AssociationFileFull, BundleIdExists, PackageNameExists */
  create<P extends AppPlatform>(platform: P, project: Project, plan: Plan, fields: AppFields<P>): Promise<App<P>> {
    assertValid(platform, fields, fields);
    const app: NewApp<P> = { ...fields, id: newId(), projectId: project.id };
    return this.unitOfWork.run(async () => {
      // The lock makes changes of the project's association files wait for each other.
      await this.apps.lock(project.id);
      const [limit, used] = [this.settings.perProject, await this.apps.count(project.id)];
      if (used >= limit) throw new LimitReached('apps in a project', { limit, used, plan });
      await this.#assertFileFits(platform, project, plan, (apps) => [...apps, app]);
      return this.apps.insert(platform, app);
    });
  }

  /** @throws NotFound */
  async get<P extends AppPlatform>(platform: P, project: Project, id: string): Promise<App<P>> {
    return requireFound(await this.apps.find(platform, project.id, id), appPlatforms[platform].appName);
  }

  /** @throws InvalidInput, NotFound, AssociationFileFull, BundleIdExists, PackageNameExists, and what the precondition throws */
  update<P extends AppPlatform>(
    platform: P,
    project: Project,
    plan: Plan,
    id: string,
    changes: AppChanges<P>,
    precondition?: Precondition<App<P>>,
  ): Promise<App<P>> {
    const { appName, file } = appPlatforms[platform];
    const write = async () => requireFound(await this.apps.update(platform, project.id, id, changes), appName);
    if (!file.fields.some((field) => field in changes)) return this.#change(platform, project, id, precondition, write);
    return this.unitOfWork.run(async () => {
      await this.apps.lock(project.id);
      return this.#change(platform, project, id, precondition, async () => {
        await this.#assertFileFits(platform, project, plan, (apps) =>
          apps.map((app) => {
            if (app.id !== id) return app;
            const changed = { ...app, ...changes };
            assertValid(platform, changed, changes);
            return changed;
          }),
        );
        return write();
      });
    });
  }

  /** @throws NotFound, AppReferenced, and what the precondition throws */
  delete<P extends AppPlatform>(
    platform: P,
    project: Project,
    id: string,
    precondition?: Precondition<App<P>>,
  ): Promise<void> {
    return this.#change(platform, project, id, precondition, async () => {
      if (!(await this.apps.delete(platform, project.id, id))) throw new NotFound(appPlatforms[platform].appName);
    });
  }

  /**
   * Runs a change that writes apps itself, such as the restoration of former values.
   * @throws LimitReached, AssociationFileFull
   */
  changeWithinLimits<P extends AppPlatform, R>(
    platform: P,
    project: Project,
    plan: Plan,
    change: () => Promise<R>,
  ): Promise<R> {
    const { file } = appPlatforms[platform];
    const bytes = async () => {
      const stored: AppFields<P>[] = await this.apps.all(platform, project.id);
      return fileBytes(file, stored);
    };
    return this.unitOfWork.run(async () => {
      await this.apps.lock(project.id);
      const before = { bytes: await bytes(), apps: await this.apps.count(project.id) };
      const changed = await change();
      const [limit, apps] = [this.settings.perProject, await this.apps.count(project.id)];
      if (apps > Math.max(limit, before.apps))
        throw new LimitReached('apps in a project', { limit, used: before.apps, plan });
      const needed = await bytes();
      if (needed > Math.max(maxFileBytes, before.bytes))
        throw new AssociationFileFull(file.name, { limit: maxFileBytes, used: before.bytes, needed, plan });
      return changed;
    });
  }

  /**
   * Asserts that a change of locked apps does not push the association file over its limit. A file that is larger already, because
   * the limit is newer, may shrink.
   * @throws AssociationFileFull
   */
  async #assertFileFits<P extends AppPlatform>(
    platform: P,
    project: Project,
    plan: Plan,
    change: (apps: App<P>[]) => AppFields<P>[],
  ): Promise<void> {
    const { file } = appPlatforms[platform];
    const apps = await this.apps.all(platform, project.id);
    const needed = fileBytes(file, change(apps));
    if (needed <= maxFileBytes) return;
    const stored: AppFields<P>[] = apps;
    const used = fileBytes(file, stored);
    if (needed > used) throw new AssociationFileFull(file.name, { limit: maxFileBytes, used, needed, plan });
  }

  #change<P extends AppPlatform, R>(
    platform: P,
    project: Project,
    id: string,
    precondition: Precondition<App<P>> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () =>
      requireFound(await this.apps.findForUpdate(platform, project.id, id), appPlatforms[platform].appName);
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}

function assertValid<P extends AppPlatform>(platform: P, app: AppFields<P>, changes: AppChanges<P>): void {
  const problems = appPlatforms[platform].problemsAcrossFields(app, changes);
  if (problems.length > 0) throw InvalidInput.because(problems);
}
