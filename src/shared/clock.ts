/** Where "now" comes from, so that tests can move it. Milliseconds since 1970 (UTC). */
export class Clock {
  now(): number {
    return Date.now();
  }
}
