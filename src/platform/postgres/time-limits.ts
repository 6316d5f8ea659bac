/**
 * Limits in milliseconds. Those of requests keep every response under the 5 s of the contract. Most tests raise them, so that
 * they pass on a busy machine.
 */
export const timeLimits = {
  connect: 1200,
  /** For the wait for the account's other connections. It ends before the request's own limit. */
  share: 2000,
  lock: 2000,
  statement: 2800,
  /** Between two statements of a transaction. PostgreSQL then ends the connection of a process that stands still, with its locks. */
  idleInTransaction: 10_000,
  /** For one query as the client measures it, because a frozen server enforces no limit. */
  query: 3000,
  /** For all queries of a request together, and their waits for connections. The time in which its body arrives is not counted. */
  request: 3300,
  /** For all queries of a request that has waited for the DNS before. */
  afterDns: 1200,
  /** For the probe after a wait for a share. A database that answers it later is at fault, and not the account. */
  shareProbe: 500,
  /** For the answer of a database to a health probe. A database that answers later counts as down. */
  probe: 2000,
  /** For an insert of clicks into ClickHouse, which takes less. Its answer may be lost afterwards, but it still counts once. */
  insert: 5000,
  /** For the answer to a heartbeat of the connection that receives changes. */
  heartbeat: 600,
  /**
   * For the caches after a heartbeat. It is below a second, because a change must be visible within a second even if the connection
   * silently stops delivering.
   */
  heartbeatValid: 850,
};
