import type { Page, PageRequest } from '../../shared/page';
import type { IosApp, IosAppChanges, IosAppSortKey, NewIosApp } from './ios-app';

export abstract class IosAppRepository {
  /**
   * @throws BundleIdExists
   * @throws NotFound when the project is gone
   */
  abstract insert(app: NewIosApp & { id: string; projectId: string }): Promise<IosApp>;
  abstract find(projectId: string, id: string): Promise<IosApp | null>;
  /** As `find`, and nobody else changes it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<IosApp | null>;
  /** Which project has the app, whoever owns that; null where no app has the id. */
  abstract findProjectOf(id: string): Promise<string | null>;
  /** In the order of association files: the oldest first. */
  abstract all(projectId: string): Promise<IosApp[]>;
  abstract list(projectId: string, request: PageRequest<IosAppSortKey>): Promise<Page<IosApp>>;
  /**
   * Changes the named fields alone. Null where the project has no such app.
   * @throws BundleIdExists
   */
  abstract update(projectId: string, id: string, changes: IosAppChanges): Promise<IosApp | null>;
  /**
   * False where the project has no such app.
   * @throws IosAppReferenced when dynamic links reference it
   */
  abstract delete(projectId: string, id: string): Promise<boolean>;
}
