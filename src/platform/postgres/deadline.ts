import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Actor } from '../../shared/actor';
import type { Tenant } from './tenant-connection-limiter';

interface RequestContext {
  deadline: number;
  tenant: Tenant | null;
  actor?: Actor | undefined;
}

/** One store for all, because on Node 20 each store makes every promise slower. */
const contexts = new AsyncLocalStorage<RequestContext>();

/** Returns the party that connections count for; null outside requests, and for work that requests share. */
export const currentTenant = (): Tenant | null => contexts.getStore()?.tenant ?? null;

/** Limits the queries of `work`, and their waits for a connection, to `milliseconds` from now. */
export const withDeadline = <T>(milliseconds: number, work: () => T, tenant = currentTenant()): T =>
  contexts.run({ deadline: performance.now() + milliseconds, tenant, actor: contexts.getStore()?.actor }, work);

/** Returns who makes the changes of this request or job; undefined outside of one. */
export const actorOfContext = (): Actor | undefined => contexts.getStore()?.actor;

/** Names who makes the changes of the current request from here on. */
export function setActorOfRequest(actor: Actor): void {
  const context = contexts.getStore();
  if (context) context.actor = actor;
}

export const withActor = <T>(actor: Actor, work: () => T): T =>
  contexts.run({ deadline: Infinity, tenant: null, ...contexts.getStore(), actor }, work);

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
