import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { AppPlatform } from '../apps/app';
import { appPlatforms } from '../apps/app-platforms';
import { lockProject } from '../projects/pg-project-lock';
import type { AppRelease, NewRelease, ReleaseChanges } from './app-release';
import { ReleaseExists } from '../../link-paths/release-guard/release.errors';
import { releaseSchemas } from './release.schema';

/** The place of a release: an app of a project. */
export interface ReleaseParent {
  projectId: string;
  appId: string;
}

@Injectable()
export class TypeormReleaseRepository {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Waits for changes that the guard compares, and keeps others waiting until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  lock(projectId: string): Promise<void> {
    return lockProject(this.context, projectId);
  }

  count(platform: AppPlatform, parent: ReleaseParent): Promise<number> {
    return this.#releases(platform).repository.countBy({ ...parent });
  }

  /** @throws ReleaseExists; NotFound if the app is gone */
  insert(platform: AppPlatform, release: NewRelease): Promise<AppRelease> {
    return this.#releases(platform).insert({ ...release }, errorsOf(platform, release.version));
  }

  list(
    platform: AppPlatform,
    parent: ReleaseParent,
    request: { page: number; limit: number },
  ): Promise<Page<AppRelease>> {
    return this.#releases(platform).newest({ ...parent }, request);
  }

  find(platform: AppPlatform, parent: ReleaseParent, id: string): Promise<AppRelease | null> {
    return this.#releases(platform).find({ ...parent, id });
  }

  /** Finds the release, and locks it until the unit of work ends. */
  findForUpdate(platform: AppPlatform, parent: ReleaseParent, id: string): Promise<AppRelease | null> {
    return this.#releases(platform).findForUpdate({ ...parent, id });
  }

  /** Changes the named fields only. Returns null if the app has no such release. @throws ReleaseExists */
  update(
    platform: AppPlatform,
    parent: ReleaseParent,
    id: string,
    changes: ReleaseChanges,
  ): Promise<AppRelease | null> {
    return this.#releases(platform).update({ ...parent, id }, changes, errorsOf(platform, changes.version));
  }

  /** Returns false if the app has no such release. */
  delete(platform: AppPlatform, parent: ReleaseParent, id: string): Promise<boolean> {
    return this.#releases(platform).delete({ ...parent, id });
  }

  #releases(platform: AppPlatform): EntityRows<AppRelease> {
    return new EntityRows(this.context, releaseSchemas[platform]);
  }
}

const errorsOf = (platform: AppPlatform, version: string | undefined) => ({
  [`app_releases_${platform}_version_unique`]: () => new ReleaseExists(String(version)),
  [`app_releases_${platform}_app_fk`]: () => new NotFound(appPlatforms[platform].appName),
});
