import type { LinkPath } from '../link-paths/custom-path';
import type { Page } from '../../shared/page';
import type { NewShortLink, ShortLink } from './short-link';

export interface ShortLinkListRequest {
  page: number;
  limit: number;
  dynamicLinkId?: string;
}

export abstract class ShortLinkRepository {
  /**
   * @throws SlugExists if any link of the project has the path
   * @throws NotFound if the dynamic link is gone
   */
  abstract insert(link: NewShortLink): Promise<ShortLink>;
  abstract find(projectId: string, id: string): Promise<ShortLink | null>;
  /** Finds the link, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<ShortLink | null>;
  abstract list(projectId: string, request: ShortLinkListRequest): Promise<Page<ShortLink>>;
  /** Counts the short links of a dynamic link, up to `max`. */
  abstract countUpTo(max: number, projectId: string, dynamicLinkId: string): Promise<number>;
  /** Returns a candidate that no link of the project has; null if all are taken. */
  abstract findFree(projectId: string, candidates: LinkPath[]): Promise<LinkPath | null>;
  /** Returns false if the project has no such short link. */
  abstract delete(projectId: string, id: string): Promise<boolean>;
}
