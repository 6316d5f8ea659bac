import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import { type Precondition, updateIfUnchanged } from '../../shared/precondition';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Plan } from '../../tenancy/accounts/plan';
import { InvalidInput, isRequired } from '../../shared/problem';
import type { App, AppPlatform } from '../apps/app';
import { AppsService } from '../apps/apps.service';
import type { Project } from '../projects/project';
import { type AppRelease, identifiersOf, type NewRelease, type ReleaseChanges } from './app-release';
import { TypeormReleaseRepository } from './typeorm-release.repository';

/** Releases of an app. Each is compared with at every change of the project. */
export const maxReleases = 100;

/** The app of a platform in a project, as the path of a request names it. */
export interface AppPath {
  platform: AppPlatform;
  project: Project;
  appId: string;
}

@Injectable()
export class ReleasesService {
  constructor(
    private readonly releases: TypeormReleaseRepository,
    private readonly apps: AppsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws NotFound */
  async list(path: AppPath, request: { page: number; limit: number }): Promise<Page<AppRelease>> {
    await this.#app(path);
    return this.releases.list(path.platform, parentOf(path), request);
  }

  /**
   * Records a version that people can install.
   * @throws NotFound, InvalidInput, LimitReached, ReleaseExists
   */
  create(path: AppPath, plan: Plan, fields: ReleaseChanges): Promise<AppRelease> {
    const { platform, project } = path;
    return this.unitOfWork.run(async () => {
      await this.releases.lock(project.id);
      const identifiers = identifiersOf(await this.#app(path));
      const used = await this.releases.count(platform, parentOf(path));
      if (used >= maxReleases)
        throw new LimitReached('releases of an app', { limit: maxReleases, used, plan }, 'delete retired ones');
      const release: NewRelease = { ...identifiers, ...fields, id: newId(), ...parentOf(path) };
      if (platform === 'android' && !('shaFingerprints' in release))
        throw InvalidInput.because([{ ...isRequired, path: ['sha_fingerprints'] }]);
      return this.releases.insert(platform, release);
    });
  }

  /** @throws NotFound */
  async get(path: AppPath, id: string): Promise<AppRelease> {
    return requireFound(await this.releases.find(path.platform, parentOf(path), id), 'Release');
  }

  /** @throws NotFound, ReleaseExists, and what the precondition throws */
  update(
    path: AppPath,
    id: string,
    changes: ReleaseChanges,
    precondition?: Precondition<AppRelease>,
  ): Promise<AppRelease> {
    return this.#change(path, id, precondition, async () =>
      requireFound(await this.releases.update(path.platform, parentOf(path), id, changes), 'Release'),
    );
  }

  /** @throws NotFound, and what the precondition throws */
  delete(path: AppPath, id: string, precondition?: Precondition<AppRelease>): Promise<void> {
    return this.#change(path, id, precondition, async () => {
      if (!(await this.releases.delete(path.platform, parentOf(path), id))) throw new NotFound('Release');
    });
  }

  /** Changes a release while no change of the project is compared with it. */
  #change<R>(
    path: AppPath,
    id: string,
    precondition: Precondition<AppRelease> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const { platform } = path;
    const find = async () => requireFound(await this.releases.findForUpdate(platform, parentOf(path), id), 'Release');
    return this.unitOfWork.run(async () => {
      await this.releases.lock(path.project.id);
      return updateIfUnchanged(this.unitOfWork, precondition, find, change);
    });
  }

  #app({ platform, project, appId }: AppPath): Promise<App<AppPlatform>> {
    return this.apps.get(platform, project, appId);
  }
}

const parentOf = ({ project, appId }: AppPath) => ({ projectId: project.id, appId });
