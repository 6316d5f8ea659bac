import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';

/** Limits of work that runs at the same time. Tests lower them. */
export interface MaxConcurrency {
  ofAccount: number;
  ofProcess: number;
}

export class TooManyAtOnce extends RateLimited {
  override readonly details = { reason: 'concurrency' };
}

export class ConcurrencyLimits {
  /** Work that runs now, for metrics. */
  running = 0;
  readonly #byAccount = new Map<string, number>();

  /** @param refusal makes the error beyond a limit */
  constructor(
    private readonly max: MaxConcurrency,
    private readonly refusal: () => RateLimited,
  ) {}

  /** @throws the refusal, if the account or the process has reached its limit */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const leave = this.enter(accountId);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Returns the function that gives the place back, to be called once.
   * @throws the refusal, if the account or the process has reached its limit
   */
  enter(accountId: string): () => void {
    const ofAccount = this.#byAccount.get(accountId) ?? 0;
    if (ofAccount >= this.max.ofAccount || this.running >= this.max.ofProcess) throw this.refusal();
    this.#count(accountId, 1);
    return () => this.#count(accountId, -1);
  }

  #count(accountId: string, change: 1 | -1): void {
    this.running += change;
    const ofAccount = (this.#byAccount.get(accountId) ?? 0) + change;
    if (ofAccount > 0) this.#byAccount.set(accountId, ofAccount);
    else this.#byAccount.delete(accountId);
  }
}
