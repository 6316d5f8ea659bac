/** Periods by whose clicks links are sorted: the last 30 days, and all clicks that are kept. */
export const clickPeriods = ['clicks', 'clicks_total'] as const;
export type RankingPeriod = (typeof clickPeriods)[number];

/** The most links with clicks in a sorted list. Bounds memory: their ids are 4 MB. */
export const maxRankedLinks = 100_000;
