import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** Everything that `work` asks the database must be answered within `milliseconds` from now, waits for a connection apart. */
export const withDeadline = <T>(milliseconds: number, work: () => T): T =>
  deadlines.run(performance.now() + milliseconds, work);

/** Milliseconds left, Infinity where no deadline is set. */
export function timeLeft(): number {
  const deadline = deadlines.getStore();
  return deadline === undefined ? Infinity : deadline - performance.now();
}

/** Made before the first request: nothing of any is in its context. */
const outside = new AsyncResource('outside of requests');

/**
 * Runs `work` without the deadline that may be set here, and without all else that belongs to a request, such as its trace: for
 * what outlives the request that happens to begin it.
 */
export const outsideRequests = <T>(work: () => T): T => outside.runInAsyncScope(work);
