export class LinkSearchSettings {
  /** Whether this process keeps the counts of searches. A process that serves link traffic only needs none. */
  readonly countSearches: boolean;
}
