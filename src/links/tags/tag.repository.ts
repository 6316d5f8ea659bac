import type { Page, PageRequest } from '../../shared/page';
import type { NewTag, Tag, TagSortKey } from './tag';

export abstract class TagRepository {
  /** @throws TagExists, NotFound if the project is gone */
  abstract insert(tag: NewTag): Promise<Tag>;
  abstract find(projectId: string, id: string): Promise<Tag | null>;
  /** Finds the tag, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<Tag | null>;
  /** Returns the id of the project that has the tag, in any account; null if no tag has the id. */
  abstract findProjectOf(id: string): Promise<string | null>;
  abstract list(projectId: string, request: PageRequest<TagSortKey>): Promise<Page<Tag>>;
  /**
   * Returns null if the project has no such tag.
   * @throws TagExists
   */
  abstract rename(projectId: string, id: string, names: Pick<Tag, 'name' | 'foldedName'>): Promise<Tag | null>;
}
