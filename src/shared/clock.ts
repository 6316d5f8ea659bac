export class Clock {
  /** Returns milliseconds since 1970 (UTC). */
  now(): number {
    return Date.now();
  }
}
