import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** Limits the queries of `work` to `milliseconds` from now, without their waits for a connection. */
export const withDeadline = <T>(milliseconds: number, work: () => T): T =>
  deadlines.run(performance.now() + milliseconds, work);

export function timeLeft(): number {
  const deadline = deadlines.getStore();
  return deadline === undefined ? Infinity : deadline - performance.now();
}

const outside = new AsyncResource('outside of requests');

/** Runs `work` outside the context of the current request: without its deadline and its trace. */
export const outsideRequests = <T>(work: () => T): T => outside.runInAsyncScope(work);
