/** Names of the databases that the running spec created and did not drop. A connection that stays open delays the end of a worker by a minute. */
export const openDatabases = new Set<string>();
