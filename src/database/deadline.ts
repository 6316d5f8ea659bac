import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** Everything that `work` asks the database must be answered within `milliseconds` from now, waits for a connection apart. */
export const withDeadline = <T>(milliseconds: number, work: () => T): T =>
  deadlines.run(performance.now() + milliseconds, work);

/** Milliseconds left, Infinity where no deadline is set. */
export function timeLeft(): number {
  const deadline = deadlines.getStore();
  return deadline === undefined ? Infinity : deadline - performance.now();
}

/** Runs `work` outside the deadline that may be set here: for what outlives the request that happens to begin it. */
export const withoutDeadline = <T>(work: () => T): T => deadlines.exit(work);
