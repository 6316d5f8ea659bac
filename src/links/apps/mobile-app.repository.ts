import type { Page, PageRequest } from '../../shared/page';
import type { MobileApp, MobileAppFields, NewMobileApp } from './mobile-app';

/** Stores the apps of one platform. */
export abstract class MobileAppRepository<App extends MobileApp, SortKey extends string> {
  /**
   * @throws BundleIdExists or PackageNameExists if the project has the app already
   * @throws NotFound if the project is gone
   */
  abstract insert(app: NewMobileApp<App>): Promise<App>;
  abstract find(projectId: string, id: string): Promise<App | null>;
  /** Finds the app, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<App | null>;
  /** Returns the id of the project that has the app, in any account; null if no app has the id. */
  async findProjectOf(id: string): Promise<string | null> {
    return (await this.findProjectsOf([id])).get(id) ?? null;
  }

  /** Returns the projects of the apps by their ids, in any account. Unknown ids are absent. */
  abstract findProjectsOf(ids: string[]): Promise<Map<string, string>>;
  /** Returns all apps in the order of association files: the oldest first. */
  abstract all(projectId: string): Promise<App[]>;
  abstract list(projectId: string, request: PageRequest<SortKey>): Promise<Page<App>>;
  /**
   * Changes the named fields only. Returns null if the project has no such app.
   * @throws BundleIdExists or PackageNameExists if another app of the project has the new identifier
   */
  abstract update(projectId: string, id: string, changes: Partial<MobileAppFields<App>>): Promise<App | null>;
  /**
   * Returns false if the project has no such app.
   * @throws AppReferenced if dynamic links reference it
   */
  abstract delete(projectId: string, id: string): Promise<boolean>;
}
