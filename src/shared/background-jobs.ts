/** Decides whether this process does work on its own at intervals. Processes of imports leave it to those of the API. */
export class BackgroundJobs {
  constructor(readonly enabled = true) {}

  /** Runs work at intervals. Returns undefined if this process leaves it to others. */
  every(intervalMs: number, work: () => void): NodeJS.Timeout | undefined {
    return this.enabled ? setInterval(work, intervalMs).unref() : undefined;
  }
}
