/** Gives imports to processes. A job is a slice of an import. */
export abstract class ImportQueue {
  /**
   * Begins to run jobs of all processes, one at a time.
   * @param work returns whether the import has more
   */
  abstract start(work: (importId: string) => Promise<boolean>): void;
  /** Adds a slice of the import in the current unit of work. */
  abstract send(importId: string): Promise<void>;
  /** Looks for jobs now. Call it once the unit of work that has sent one is done. */
  abstract wake(): void;
  /** Waits for the current slice, and starts no other. */
  abstract stop(): Promise<void>;
}
