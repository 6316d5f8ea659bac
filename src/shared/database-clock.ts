/** Reads the clock of the database. All processes share it, so that stored times are compared with it only. */
export abstract class DatabaseClock {
  /** Returns milliseconds since 1970 (UTC): of this moment, or of the start of the current unit of work. */
  abstract now(): Promise<number>;
}
