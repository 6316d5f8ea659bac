/** Probes the database. Both methods reject if it does not answer within `timeoutMs`. */
export abstract class DatabaseState {
  /** Returns the names of migrations that the database lacks. */
  abstract missingMigrations(timeoutMs: number): Promise<string[]>;
  abstract ping(timeoutMs: number): Promise<void>;
}
