import type { Page, PageRequest } from '../../shared/page';
import type { App, AppChanges, AppPlatform, NewApp } from './app';

/** Stores apps. Each platform has its own table, so ids are unique per platform. */
export abstract class AppRepository {
  /**
   * Locks the project's set of apps until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  abstract lock(projectId: string): Promise<void>;
  abstract count(projectId: string): Promise<number>;
  /**
   * @throws BundleIdExists or PackageNameExists if the project has the app already
   * @throws NotFound if the project is gone
   */
  abstract insert<P extends AppPlatform>(platform: P, app: NewApp<P>): Promise<App<P>>;
  abstract find<P extends AppPlatform>(platform: P, projectId: string, id: string): Promise<App<P> | null>;
  /** Finds the app, and locks it until the unit of work ends. */
  abstract findForUpdate<P extends AppPlatform>(platform: P, projectId: string, id: string): Promise<App<P> | null>;
  /** Returns the projects of the apps by their ids, in any account. Unknown ids are absent. */
  abstract findProjectsOf(platform: AppPlatform, ids: string[]): Promise<Map<string, string>>;
  /** Returns all apps in the order of association files: the oldest first. */
  abstract all<P extends AppPlatform>(platform: P, projectId: string): Promise<App<P>[]>;
  abstract list<P extends AppPlatform>(
    platform: P,
    projectId: string,
    request: PageRequest<string>,
  ): Promise<Page<App<P>>>;
  /**
   * Changes the named fields only. Returns null if the project has no such app.
   * @throws BundleIdExists or PackageNameExists if another app of the project has the new identifier
   */
  abstract update<P extends AppPlatform>(
    platform: P,
    projectId: string,
    id: string,
    changes: AppChanges<P>,
  ): Promise<App<P> | null>;
  /**
   * Returns false if the project has no such app.
   * @throws ReferencedByLinks if dynamic links reference it
   */
  abstract delete(platform: AppPlatform, projectId: string, id: string): Promise<boolean>;
}
