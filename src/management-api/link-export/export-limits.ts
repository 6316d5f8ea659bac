import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';

/** Exports that an account, and a process, run at once. Each keeps one batch in memory. */
export const maxExports = { ofAccount: 2, ofProcess: 10 };

/** Most exports are shorter. */
const retryAfterSeconds = 10;

export class TooManyExports extends RateLimited {
  override readonly details = { reason: 'concurrency' };

  constructor() {
    super(retryAfterSeconds, 'Too many exports are running');
  }
}

/** Limits exports per account and per process, because an export takes as long as its client reads. */
export class ExportLimits {
  /** Exports that run now, for metrics. */
  running = 0;
  readonly #byAccount = new Map<string, number>();

  /** @throws TooManyExports if the account, or the process, has too many exports */
  async run(accountId: string, work: () => Promise<void>): Promise<void> {
    const ofAccount = this.#byAccount.get(accountId) ?? 0;
    if (ofAccount >= maxExports.ofAccount || this.running >= maxExports.ofProcess) throw new TooManyExports();
    this.#count(accountId, 1);
    try {
      await work();
    } finally {
      this.#count(accountId, -1);
    }
  }

  #count(accountId: string, change: 1 | -1): void {
    this.running += change;
    const ofAccount = (this.#byAccount.get(accountId) ?? 0) + change;
    if (ofAccount > 0) this.#byAccount.set(accountId, ofAccount);
    else this.#byAccount.delete(accountId);
  }
}
