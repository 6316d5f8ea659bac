/**
 * The advisory locks that processes hold for longer than a transaction, by the letters "clic" and a number. Functions of migrations
 * take others within a transaction. 1 to 3 add clicks, roll them up, and create or drop partitions. 4 numbers entries of the journal,
 * and 7 counts opens and claims.
 */
export const advisoryLocks = {
  /** In both databases: the command that adds or removes a region. */
  regionCommand: '1668049251, 5',
  /** In the primary's database: the process that copies clicks to ClickHouse. */
  clickCopy: '1668049251, 6',
  /** In the database of a region: the process that delivers clicks to the primary. */
  regionLeader: '1668049251, 8',
} as const;
