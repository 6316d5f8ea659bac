/** Probes the database. Both methods reject if it does not answer within the limit of a probe (`timeLimits`). */
export abstract class DatabaseState {
  /** Returns the names of migrations that the database lacks. */
  abstract missingMigrations(): Promise<string[]>;
  abstract ping(): Promise<void>;
}
