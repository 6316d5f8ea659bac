/** Work on imports that processes of imports take from PostgreSQL. */
export interface ImportWork {
  /** Runs a part of a dry run or a run. Returns whether there is more. */
  runSlice(importId: string): Promise<boolean>;
  /** Reads a part of a list. Returns the seconds until the next part can be read; null if the list has ended. */
  readList(importId: string): Promise<number | null>;
}

/** Queues imports. Each job is a part that takes about two seconds. */
export abstract class ImportQueue {
  /** Begins to take jobs: one dry run or run at a time, and some lists. */
  abstract start(work: ImportWork): void;
  /** Adds a part of a dry run or a run in the current unit of work. Does nothing if one is queued. */
  abstract send(importId: string): Promise<void>;
  /** Adds a part of a list in the current unit of work. */
  abstract sendList(importId: string): Promise<void>;
  /** Looks for jobs now. */
  abstract wake(): void;
  /** Returns whether a process can take a job now. */
  abstract hasJobs(): Promise<boolean>;
  /** Waits for the current jobs, and starts no other. */
  abstract stop(): Promise<void>;
}

/** Numbers of a process of imports, for metrics. */
export interface ImportCounts {
  /** Rows that were done. */
  readonly rows: number;
  /** Parts that failed. */
  readonly failures: number;
  /** Requests to APIs by result. */
  readonly requests: Readonly<Record<'answered' | 'limited' | 'failed', number>>;
}

/** A port to the processes of imports that this process starts. */
export abstract class ImportProcesses {
  /** Null if they are started elsewhere. */
  abstract readonly counts: ImportCounts | null;
  /** Looks for jobs of other processes from now on. */
  abstract start(hasJobs: () => Promise<boolean>): void;
  /** Makes a process look for jobs. Starts one if no process exists. Call it when a job was sent. */
  abstract wake(): void;
  abstract stop(): Promise<void>;
}

/** Leaves the processes of imports to others. */
export class ForeignImportProcesses extends ImportProcesses {
  readonly counts = null;
  start(): void {}
  wake(): void {}
  async stop(): Promise<void> {}
}
