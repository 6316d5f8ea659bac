import type { Page, PageRequest } from '../../shared/page';
import type { AndroidApp, AndroidAppChanges, AndroidAppSortKey, NewAndroidApp } from './android-app';

export abstract class AndroidAppRepository {
  /**
   * @throws PackageNameExists
   * @throws NotFound when the project is gone
   */
  abstract insert(app: NewAndroidApp & { id: string; projectId: string }): Promise<AndroidApp>;
  abstract find(projectId: string, id: string): Promise<AndroidApp | null>;
  /** As `find`, and nobody else changes it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<AndroidApp | null>;
  /** Which project has the app, whoever owns that; null where no app has the id. */
  abstract findProjectOf(id: string): Promise<string | null>;
  /** In the order of association files: the oldest first. */
  abstract all(projectId: string): Promise<AndroidApp[]>;
  abstract list(projectId: string, request: PageRequest<AndroidAppSortKey>): Promise<Page<AndroidApp>>;
  /**
   * Changes the named fields alone. Null where the project has no such app.
   * @throws PackageNameExists
   */
  abstract update(projectId: string, id: string, changes: AndroidAppChanges): Promise<AndroidApp | null>;
  /**
   * False where the project has no such app.
   * @throws AndroidAppReferenced when dynamic links reference it
   */
  abstract delete(projectId: string, id: string): Promise<boolean>;
}
