import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../shared/actor';
import type { UnitOfWork } from '../../shared/unit-of-work';
import type { Tenant } from './tenant-connection-limiter';

/** An open transaction, the unit of work that it belongs to, and what waits for its commit. */
interface OpenTransaction {
  of: UnitOfWork;
  manager: EntityManager;
  waiting: (() => void)[];
}

interface RequestContext {
  deadline: number;
  tenant: Tenant | null;
  actor?: Actor | undefined;
  transaction?: OpenTransaction;
}

/** One store for all, because on Node 20 each store makes every promise slower. */
const contexts = new AsyncLocalStorage<RequestContext>();

/** Returns the party that connections count for; null outside requests, and for work that requests share. */
export const currentTenant = (): Tenant | null => contexts.getStore()?.tenant ?? null;

/** Limits the queries of `work`, and their waits for a connection, to `milliseconds` from now. */
export const withDeadline = <T>(milliseconds: number, work: () => T, tenant = currentTenant()): T =>
  contexts.run({ ...contexts.getStore(), deadline: performance.now() + milliseconds, tenant }, work);

/** Returns who makes the changes of this request or job; undefined outside of one. */
export const actorOfContext = (): Actor | undefined => contexts.getStore()?.actor;

/** Names who makes the changes of the current request from here on. */
export function setActorOfRequest(actor: Actor): void {
  const context = contexts.getStore();
  if (context) context.actor = actor;
}

const withContext = <T>(changes: Partial<RequestContext>, work: () => T): T =>
  contexts.run({ deadline: Infinity, tenant: null, ...contexts.getStore(), ...changes }, work);

export const withActor = <T>(actor: Actor, work: () => T): T => withContext({ actor }, work);

/** Returns the innermost open transaction of the current request or job. */
export const transactionOfContext = (): OpenTransaction | undefined => contexts.getStore()?.transaction;

export const withTransaction = <T>(transaction: OpenTransaction, work: () => T): T =>
  withContext({ transaction }, work);

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
