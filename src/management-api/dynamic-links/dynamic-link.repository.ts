import type { Page, PageRequest } from '../../shared/page';
import type {
  DynamicLink,
  DynamicLinkChanges,
  DynamicLinkSortKey,
  DynamicLinkWithApps,
  NewDynamicLink,
} from './dynamic-link';
import type { LinkPath } from '../link-paths/custom-path';

export interface DynamicLinkListRequest extends PageRequest<DynamicLinkSortKey> {
  iosAppId?: string;
  androidAppId?: string;
}

export abstract class DynamicLinkRepository {
  /**
   * @throws CustomPathExists when the path is any link's in the project
   * @throws IosAppNotFound, AndroidAppNotFound when the project has no such app
   * @throws NotFound when the project is gone
   */
  abstract insert(link: NewDynamicLink & { id: string; projectId: string; customPath: LinkPath }): Promise<DynamicLink>;
  abstract find(projectId: string, id: string): Promise<DynamicLinkWithApps | null>;
  /** As `find`, and nobody else changes it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<DynamicLinkWithApps | null>;
  /** Which project has the link, whoever owns that; null where no link has the id. */
  abstract findProjectOf(id: string): Promise<string | null>;
  abstract list(projectId: string, request: DynamicLinkListRequest): Promise<Page<DynamicLinkWithApps>>;
  /**
   * Changes the named fields alone. Null where the project has no such link.
   * @throws CustomPathExists, IosAppNotFound, AndroidAppNotFound
   */
  abstract update(projectId: string, id: string, changes: DynamicLinkChanges): Promise<DynamicLink | null>;
  /** False where the project has no such link. */
  abstract delete(projectId: string, id: string): Promise<boolean>;
}
