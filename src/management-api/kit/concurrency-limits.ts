import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';

/** Limits of work that runs at the same time. Tests lower them. */
export interface MaxConcurrency {
  ofAccount: number;
  ofProcess: number;
}

/** Refuses work beyond the limit of an account or a process. */
export class TooManyAtOnce extends RateLimited {
  override readonly details = { reason: 'concurrency' };
}

/** Limits work per account and per process, because it takes as long as its client likes. */
export class ConcurrencyLimits {
  /** Work that runs now, for metrics. */
  running = 0;
  readonly #byAccount = new Map<string, number>();

  /** @param refusal makes the error beyond a limit */
  constructor(
    private readonly max: MaxConcurrency,
    private readonly refusal: () => TooManyAtOnce,
  ) {}

  /** @throws TooManyAtOnce */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const ofAccount = this.#byAccount.get(accountId) ?? 0;
    if (ofAccount >= this.max.ofAccount || this.running >= this.max.ofProcess) throw this.refusal();
    this.#count(accountId, 1);
    try {
      return await work();
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
