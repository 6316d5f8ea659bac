/** Tests lower them. */
export const searchLimits = {
  /** Smaller projects are counted at each search. Measured: 1.5 µs per link. */
  minLinks: 20_000,
  /**
   * Pairs of an iOS and an Android app, with none as one of each. Each pair has separate counts, so projects with more are counted
   * at each search. Measured: 400 MB for 2,600 pairs of links with Chinese names.
   */
  maxAppPairs: 100,
  /** Changes that searches match one by one. Measured: 1 µs each. */
  maxChanges: 1000,
  /** A text gets a count if it is in so many links at least, */
  minMatches: 2000,
  /** and in this part of the links. */
  minShare: 0.0005,
  /** From this share of all links on, it is faster to find the matches of all projects than to intersect them with the project. */
  maxShare: 0.2,
  /** Projects with so many links gain from a separate index: a search reads the list of all links of its project. */
  minLinksOfCandidates: 500_000,
  /** Links that are read to find such texts, in blocks that are spread over all. */
  sampledLinks: 40_000,
};
