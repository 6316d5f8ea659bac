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

  count<P extends AppPlatform>(platform: P, parent: ReleaseParent): Promise<number> {
    return this.#releases(platform).countBy(where<P>(parent));
  }

  /** @throws ReleaseExists; NotFound if the app is gone */
  async insert<P extends AppPlatform>(platform: P, release: NewRelease<P>): Promise<AppRelease<P>> {
    const row = { ...release } as AppRelease<P>;
    const insert = () =>
      this.context.run(() => this.#releases(platform).insert(row as QueryDeepPartialEntity<AppRelease<P>>));
    await mapConstraintErrors(errorsOf(platform, release.version), insert);
    return row;
  }

  list<P extends AppPlatform>(
    platform: P,
    parent: ReleaseParent,
    request: { page: number; limit: number },
  ): Promise<Page<AppRelease<P>>> {
    return readNewest(this.#releases(platform), where<P>(parent), request);
  }

  find<P extends AppPlatform>(platform: P, parent: ReleaseParent, id: string): Promise<AppRelease<P> | null> {
    return this.#releases(platform).findOneBy(where<P>({ ...parent, id }));
  }

  /** Finds the release, and locks it until the unit of work ends. */
  findForUpdate<P extends AppPlatform>(platform: P, parent: ReleaseParent, id: string): Promise<AppRelease<P> | null> {
    return findLocked(this.#releases(platform), where<P>({ ...parent, id }));
  }

  /** Changes the named fields only. Returns null if the app has no such release. @throws ReleaseExists */
  update<P extends AppPlatform>(
    platform: P,
    parent: ReleaseParent,
    id: string,
    changes: ReleaseChanges<P>,
  ): Promise<AppRelease<P> | null> {
    return mapConstraintErrors(errorsOf(platform, changes.version), () =>
      updateRow<AppRelease<P>>(this.context, releaseSchemas[platform], where<P>({ ...parent, id }), changes as object),
    );
  }

  /** Returns false if the app has no such release. */
  async delete(platform: AppPlatform, parent: ReleaseParent, id: string): Promise<boolean> {
    const { affected } = await this.context.run(() => this.#releases(platform).delete(where({ ...parent, id })));
    return affected === 1;
  }

  #releases<P extends AppPlatform>(platform: P): Repository<AppRelease<P>> {
    return this.context.manager.getRepository(releaseSchemas[platform]);
  }
}

const where = <P extends AppPlatform>(row: ReleaseParent & { id?: string }) => row as FindOptionsWhere<AppRelease<P>>;

const errorsOf = (platform: AppPlatform, version: string | undefined) => ({
  [`app_releases_${platform}_version_unique`]: () => new ReleaseExists(String(version)),
  [`app_releases_${platform}_app_fk`]: () => new NotFound(appPlatforms[platform].appName),
});
