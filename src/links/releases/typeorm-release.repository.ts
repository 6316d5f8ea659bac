import { Injectable } from '@nestjs/common';
import type { FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { findLocked } from '../../platform/tables/find-locked';
import { readNewest } from '../../platform/tables/typeorm-page';
import { updateRow } from '../../platform/tables/update-row';
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
    return this.#releases(platform).countBy(where(parent));
  }

  /** @throws ReleaseExists; NotFound if the app is gone */
  async insert(platform: AppPlatform, release: NewRelease): Promise<AppRelease> {
    const row = { ...release } as AppRelease;
    const insert = () =>
      this.context.run(() => this.#releases(platform).insert(row as QueryDeepPartialEntity<AppRelease>));
    await mapConstraintErrors(errorsOf(platform, release.version), insert);
    return row;
  }

  list(
    platform: AppPlatform,
    parent: ReleaseParent,
    request: { page: number; limit: number },
  ): Promise<Page<AppRelease>> {
    return readNewest(this.#releases(platform), where(parent), request);
  }

  find(platform: AppPlatform, parent: ReleaseParent, id: string): Promise<AppRelease | null> {
    return this.#releases(platform).findOneBy(where({ ...parent, id }));
  }

  /** Finds the release, and locks it until the unit of work ends. */
  findForUpdate(platform: AppPlatform, parent: ReleaseParent, id: string): Promise<AppRelease | null> {
    return findLocked(this.#releases(platform), where({ ...parent, id }));
  }

  /** Changes the named fields only. Returns null if the app has no such release. @throws ReleaseExists */
  update(
    platform: AppPlatform,
    parent: ReleaseParent,
    id: string,
    changes: ReleaseChanges,
  ): Promise<AppRelease | null> {
    return mapConstraintErrors(errorsOf(platform, changes.version), () =>
      updateRow(this.context, releaseSchemas[platform], where({ ...parent, id }), changes),
    );
  }

  /** Returns false if the app has no such release. */
  async delete(platform: AppPlatform, parent: ReleaseParent, id: string): Promise<boolean> {
    const { affected } = await this.context.run(() => this.#releases(platform).delete(where({ ...parent, id })));
    return affected === 1;
  }

  #releases(platform: AppPlatform): Repository<AppRelease> {
    return this.context.manager.getRepository(releaseSchemas[platform]);
  }
}

const where = (row: ReleaseParent & { id?: string }): FindOptionsWhere<AppRelease> => row;

const errorsOf = (platform: AppPlatform, version: string | undefined) => ({
  [`app_releases_${platform}_version_unique`]: () => new ReleaseExists(String(version)),
  [`app_releases_${platform}_app_fk`]: () => new NotFound(appPlatforms[platform].appName),
});
