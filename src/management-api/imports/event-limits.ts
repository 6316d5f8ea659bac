import { ConcurrencyLimited } from '../../platform/rate-limit/rate-limit.errors';

/** Streams of events that an account, and a process, have at once. Each reads the database twice a second. */
export const maxStreams = { ofAccount: 5, ofProcess: 50 };

/** Limits streams of events per account and per process. */
export class EventLimits {
  #running = 0;
  readonly #byAccount = new Map<string, number>();

  /** @throws ConcurrencyLimited if the account, or the process, has too many streams */
  async run(accountId: string, work: () => Promise<void>): Promise<void> {
    const ofAccount = this.#byAccount.get(accountId) ?? 0;
    if (ofAccount >= maxStreams.ofAccount || this.#running >= maxStreams.ofProcess) throw new ConcurrencyLimited();
    this.#count(accountId, 1);
    try {
      await work();
    } finally {
      this.#count(accountId, -1);
    }
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#running += change;
    const ofAccount = (this.#byAccount.get(accountId) ?? 0) + change;
    if (ofAccount > 0) this.#byAccount.set(accountId, ofAccount);
    else this.#byAccount.delete(accountId);
  }
}
