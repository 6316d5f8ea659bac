import { TooManyFetches } from './import.errors';

/** Lists that an account, and a process, read at once. Each has one connection. */
export const maxFetches = { ofAccount: 2, ofProcess: 8 };

/** Limits the lists that are read at once, because each opens connections to a host that its caller chooses. */
export class FetchLimits {
  readonly #accounts: string[] = [];

  /**
   * Returns the function that gives the place back.
   * @throws TooManyFetches if the account, or the process, reads too many lists
   */
  enter(accountId: string): () => void {
    const ofAccount = this.#accounts.filter((id) => id === accountId).length;
    if (ofAccount >= maxFetches.ofAccount || this.#accounts.length >= maxFetches.ofProcess) throw new TooManyFetches();
    this.#accounts.push(accountId);
    return () => void this.#accounts.splice(this.#accounts.indexOf(accountId), 1);
  }
}
