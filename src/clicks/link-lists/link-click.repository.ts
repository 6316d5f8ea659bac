/** A period of clicks. Moments are milliseconds since 1970 (UTC), and both are starts of quarters of an hour. */
export interface ClickWindow {
  /** Included. */
  from: number;
  /** Excluded. */
  to: number;
}

/** Clicks of links by their ids, without robots. Links without clicks are absent. */
export type ClicksByLink = ReadonlyMap<string, number>;

export abstract class LinkClickRepository {
  /**
   * Returns the links of the project with the most clicks, at most `limit`.
   * @param ids only these links; null for all
   * @throws QueryTooExpensive if PostgreSQL works, but needs longer than its time limit
   */
  abstract count(
    projectId: string,
    window: ClickWindow,
    ids: readonly string[] | null,
    limit: number,
  ): Promise<ClicksByLink>;
}
