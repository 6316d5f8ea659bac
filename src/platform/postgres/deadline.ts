import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { ConnectionHolder } from './connection-shares';

interface RequestContext {
  deadline: number;
  holder: ConnectionHolder | null;
}

/** One store for both, because on Node 20 each store makes every promise slower. */
const contexts = new AsyncLocalStorage<RequestContext>();

/** Returns the party that connections count for; null outside requests, and for work that requests share. */
export const currentHolder = (): ConnectionHolder | null => contexts.getStore()?.holder ?? null;

/** Limits the queries of `work`, and their waits for a connection, to `milliseconds` from now. */
export const withDeadline = <T>(milliseconds: number, work: () => T, holder = currentHolder()): T =>
  contexts.run({ deadline: performance.now() + milliseconds, holder }, work);

/** Does not count the time of `work` for the limit of the request, because its client takes that time. */
export async function uncounted<T>(work: () => Promise<T>): Promise<T> {
  const context = contexts.getStore();
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    if (context) context.deadline += performance.now() - startedAt;
  }
}

export function timeLeft(): number {
  const deadline = contexts.getStore()?.deadline;
  return deadline === undefined ? Infinity : deadline - performance.now();
}

const outside = new AsyncResource('outside of requests');

/** Runs `work` outside the context of the current request: without its deadline and its trace. */
export const outsideRequests = <T>(work: () => T): T => outside.runInAsyncScope(work);
