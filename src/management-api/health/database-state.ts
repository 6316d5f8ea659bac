/** How the database is. Both reject if it does not answer within so many milliseconds. */
export abstract class DatabaseState {
  /** Names of migrations that this program comes with and the database lacks. */
  abstract missingMigrations(timeoutMs: number): Promise<string[]>;
  abstract ping(timeoutMs: number): Promise<void>;
}
