import type { Metrics } from '../../platform/observability/metrics';

/** Counts rows that were done, parts that failed, and requests to APIs by result, for metrics. */
export class ImportCounts {
  rows = 0;
  failures = 0;
  answered = 0;
  limited = 0;
  failed = 0;
}

export const watchImports = (metrics: Metrics | null, counts: ImportCounts): void =>
  metrics?.watch({
    signpost_import_rows_total: () => counts.rows,
    signpost_import_failures_total: () => counts.failures,
    signpost_import_api_requests_total: () => ({
      answered: counts.answered,
      limited: counts.limited,
      failed: counts.failed,
    }),
  });

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
