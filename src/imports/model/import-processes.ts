/** Counts rows that were done, parts that failed, and requests to APIs by result, for metrics. */
export class ImportCounts {
  rows = 0;
  failures = 0;
  answered = 0;
  limited = 0;
  failed = 0;
}

/** Leaves the processes of imports to others. `ImportChild` starts one. */
export class ImportProcesses {
  /** Null if they are started elsewhere. */
  readonly counts: ImportCounts | null = null;

  /** Looks for jobs of other processes from now on. */
  start(_hasJobs: () => Promise<boolean>): void {}

  /** Makes a process look for jobs. Starts one if no process exists. Call it when a job was sent. */
  wake(): void {}

  async stop(): Promise<void> {}
}
