import type { DynamicLinkFilters } from '../dynamic-links/dynamic-link.repository';

/** The changes of `setState`. */
export type LinkState = { archived: boolean } | { disabled: boolean };

/** Finds and changes sets of links of a project. All methods run in a unit of work. */
export abstract class MatchingLinkRepository {
  /**
   * Locks up to `limit` links that the filters find, in the order of their ids, until the unit of work ends. Links that others create
   * meanwhile are left out.
   * @param after the id that precedes the first link; null for all links
   * @returns the number of all that match after that id, and the ids of the locked ones
   * @throws QueryTooExpensive
   */
  abstract lockMatching(
    projectId: string,
    filters: DynamicLinkFilters,
    after: string | null,
    limit: number,
  ): Promise<{ total: number; ids: string[] }>;
  /** Returns the number of links that had another state. */
  abstract setState(projectId: string, ids: string[], state: LinkState): Promise<number>;
  /**
   * Adds the tags after those of each link that it does not have. Links that would have more than `max` tags stay as they are.
   * @returns the number of links that changed, and the refused ones
   */
  abstract addTags(
    projectId: string,
    ids: string[],
    tagIds: string[],
    max: number,
  ): Promise<{ changed: number; refused: { id: string; name: string }[] }>;
  /** Returns the number of links that had one of the tags. */
  abstract removeTags(projectId: string, ids: string[], tagIds: string[]): Promise<number>;
}
