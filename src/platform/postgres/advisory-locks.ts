/**
 * The advisory locks that processes hold for longer than a transaction, by the letters "clic" and a number. Functions of migrations
 * take 1 to 3 within a transaction (`migrations/0012-clicks.sql`): to add clicks, to roll them up, and to create or drop partitions.
 */
export const advisoryLocks = {
  /** In the primary's database: the process that copies clicks to ClickHouse. */
  clickCopy: '1668049251, 4',
  /** In the database of a region, which copies no clicks: the process that delivers them to the primary. */
  regionLeader: '1668049251, 4',
  /** In both databases: the command that adds or removes a region. */
  regionCommand: '1668049251, 5',
} as const;
