import type { Actor } from './actor';

/** A transaction as services see it: either all writes inside `run` happen, or no write does. */
export abstract class UnitOfWork {
  /** Runs `work` in a transaction; a `run` inside a `run` joins it. Only calls of the database belong inside. */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  abstract runAs<T>(actor: Actor, work: () => Promise<T>): Promise<T>;

  /**
   * Runs a write whose failure must not abort the transaction (a savepoint). Only that write is undone. Without it, PostgreSQL
   * refuses every later statement of the transaction.
   */
  abstract attempt<T>(write: () => Promise<T>): Promise<T>;

  /** Runs `work` once the outermost `run` has committed, or at once outside of one. */
  abstract afterCommit(work: () => void): void;
}
