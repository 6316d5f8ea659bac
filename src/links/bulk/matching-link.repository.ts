import type { DynamicLinkFilters } from '../dynamic-links/dynamic-link.repository';

/** The changes of `setState`. */
export type LinkState = { archived: boolean } | { disabled: boolean };

export interface Matches {
  /** Number of all links that match after an id. */
  total: number;
  /** Ids of the first of them, which are locked. */
  ids: string[];
}

/** Finds and changes sets of links of a project. All methods run in a unit of work. */
export abstract class MatchingLinkRepository {
  /**
   * Locks up to `limit` links that the filters find, in the order of their ids, until the unit of work ends. Links that others create
   * meanwhile are left out. Those that others change or delete, so that they match no longer, are subtracted from the total.
   * @param after the id that precedes the first link; null for all links
   * @throws QueryTooExpensive
   */
  abstract lockMatching(
    projectId: string,
    filters: DynamicLinkFilters,
    after: string | null,
    limit: number,
  ): Promise<Matches>;
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
