/** Reads the clock of this process. Stored times are compared with `DatabaseClock`, because the clocks of processes differ. */
export class Clock {
  /** Returns milliseconds since 1970 (UTC). */
  now(): number {
    return Date.now();
  }
}
