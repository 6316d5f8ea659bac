import type { BackgroundJobs } from './background-jobs';
import { Sweep } from './sweep';

/**
 * Removes rows in batches that a request has marked. The next sweep of any process continues a purge that a crash interrupted.
 */
export class BatchPurge extends Sweep {
  /** @param purgeSome removes a batch; returns true if nothing is left for this process */
  constructor(
    private readonly purgeSome: () => Promise<boolean>,
    onError: (error: unknown) => void,
    jobs?: BackgroundJobs,
  ) {
    super(onError, jobs);
  }

  protected work(): Promise<void> {
    return this.inBatches(this.purgeSome);
  }
}
