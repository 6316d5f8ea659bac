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
   * @throws SlugExists when the slug is any link's path in the project
   * @throws NotFound when the dynamic link is gone
   */
  abstract insert(link: NewShortLink): Promise<ShortLink>;
  abstract find(projectId: string, id: string): Promise<ShortLink | null>;
  /** As `find`, and nobody else changes it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<ShortLink | null>;
  /** Newest first. */
  abstract list(projectId: string, request: ShortLinkListRequest): Promise<Page<ShortLink>>;
  /** One of the candidates that no link of the project has; null where all are taken. */
  abstract findFree(projectId: string, candidates: LinkPath[]): Promise<LinkPath | null>;
  /** False where the project has no such short link. */
  abstract delete(projectId: string, id: string): Promise<boolean>;
}
