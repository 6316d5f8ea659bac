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
import { fileBytes, maxFileBytes } from '../../link-paths/association-files/association-file';
import type { Project } from '../projects/project';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { ReleaseGuard } from '../../link-paths/release-guard/release-guard';
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
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  list<P extends AppPlatform>(platform: P, project: Project, request: PageRequest<string>): Promise<Page<App<P>>> {
    return this.apps.list(platform, project.id, request);
  }

  /** @throws InvalidInput, NotFound, LimitReached, AssociationFileFull, BundleIdExists, PackageNameExists, BreaksReleasedApp */
  create<P extends AppPlatform>(
    platform: P,
    project: Project,
    plan: Plan,
    fields: AppFields<P>,
    acknowledgement?: Acknowledgement,
  ): Promise<App<P>> {
    assertValid(platform, fields, fields);
    const app: NewApp<P> = { ...fields, id: newId(), projectId: project.id };
    const insert = () => this.apps.insert(platform, app);
    return this.changeWithinLimits(platform, project, plan, 1, insert, acknowledgement);
  }

  /** @throws NotFound */
  async get<P extends AppPlatform>(platform: P, project: Project, id: string): Promise<App<P>> {
    return requireFound(await this.apps.find(platform, project.id, id), appPlatforms[platform].appName);
  }

  /**
   * @throws InvalidInput, NotFound, AssociationFileFull, BundleIdExists, PackageNameExists, BreaksReleasedApp, and what the
   * precondition throws
   */
  update<P extends AppPlatform>(
    platform: P,
    project: Project,
    plan: Plan,
    id: string,
    changes: AppChanges<P>,
    precondition?: Precondition<App<P>>,
    acknowledgement?: Acknowledgement,
  ): Promise<App<P>> {
    const { appName, file } = appPlatforms[platform];
    const write = async () => requireFound(await this.apps.update(platform, project.id, id, changes), appName);
    if (!file.fields.some((field) => field in changes)) return this.#change(platform, project, id, precondition, write);
    const change = () =>
      this.#change(platform, project, id, precondition, async () => {
        assertValid(platform, { ...(await this.get(platform, project, id)), ...changes }, changes);
        return write();
      });
    return this.changeWithinLimits(platform, project, plan, 0, change, acknowledgement);
  }

  /** @throws NotFound, ReferencedByLinks, BreaksReleasedApp, and what the precondition throws */
  delete<P extends AppPlatform>(
    platform: P,
    project: Project,
    id: string,
    precondition?: Precondition<App<P>>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<void> {
    return this.releaseGuard.run(project.id, acknowledgement, () =>
      this.#change(platform, project, id, precondition, async () => {
        if (!(await this.apps.delete(platform, project.id, id))) throw new NotFound(appPlatforms[platform].appName);
      }),
    );
  }

  /**
   * Runs a change that adds so many apps, while other changes of the project's association files wait. A file that is larger than its
   * limit already, because the limit is newer, may shrink.
   * @throws LimitReached, AssociationFileFull, NotFound, BreaksReleasedApp
   */
  changeWithinLimits<P extends AppPlatform, R>(
    platform: P,
    project: Project,
    plan: Plan,
    added: number,
    change: () => Promise<R>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<R> {
    const { file } = appPlatforms[platform];
    const bytes = async () => {
      const stored: AppFields<P>[] = await this.apps.all(platform, project.id);
      return fileBytes(file, stored);
    };
    return this.unitOfWork.run(async () => {
      await this.apps.lock(project.id);
      const [limit, apps] = [this.settings.perProject, await this.apps.count(project.id)];
      if (added > 0 && apps + added > limit) throw new LimitReached('apps in a project', { limit, used: apps, plan });
      const used = await bytes();
      const changed = await this.releaseGuard.run(project.id, acknowledgement, change);
      const needed = await bytes();
      if (needed > Math.max(maxFileBytes, used))
        throw new AssociationFileFull(file.name, { limit: maxFileBytes, used, needed, plan });
      return changed;
    });
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
