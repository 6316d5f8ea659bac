/** All that repositories do inside `run` happens, or nothing of it. */
export abstract class UnitOfWork {
  /** A `run` inside a `run` joins the outer one. No network call but the database's belongs in it. */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /**
   * For a write that may be refused and is then tried differently: inside a `run` that goes on, what the refused one did is
   * undone and nothing else. PostgreSQL would else refuse every later statement of the transaction.
   */
  abstract attempt<T>(write: () => Promise<T>): Promise<T>;
}
