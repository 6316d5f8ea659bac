/** All that repositories do inside `run` happens, or nothing of it. */
export abstract class UnitOfWork {
  /** A `run` inside a `run` joins the outer one. No network call but the database's belongs in it. */
  abstract run<T>(work: () => Promise<T>): Promise<T>;
}
