import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../platform/postgres/database-error';
import { ConnectionHolder } from '../../platform/postgres/connection-shares';
import { currentHolder, outsideRequests, withDeadline } from '../../platform/postgres/deadline';
import { timeLimits } from '../../platform/postgres/time-limits';
import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';

/** Attempts at a statement. A failover of the database takes some seconds. */
const maxAttempts = 10;
const retryDelayMs = 1000;

/** Gives a statement of a long request the time of a short one. */
export const inTimeOfRequest = <T>(statement: () => Promise<T>): Promise<T> =>
  withDeadline(timeLimits.request, statement);

/**
 * Gives a statement of a long request the time of a short one. One that an outage of the database, or the share of the account, has
 * refused is repeated, so it must bear to run twice.
 */
export async function retried<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTimeOfRequest(statement);
    } catch (error) {
      const isPassing = isUnavailable(error) || error instanceof RateLimited;
      if (!isPassing || attempt === maxAttempts) throw error;
      await sleep(retryDelayMs);
    }
  }
}

/** Runs work that goes on after the answer of its request: without its deadline, its trace, and its share of the connections. */
export const afterRequest = <T>(work: () => T): T => outsideRequests(work);

/** Returns the key of the party whose share of the connections the current request uses; null outside requests. */
export const shareOfRequest = (): string | null => currentHolder()?.key ?? null;

/** Runs work in another thread with the share of its request. */
export const withShare = <T>(share: string | null, work: () => T): T =>
  withDeadline(Infinity, work, share === null ? null : new ConnectionHolder(share));

/** Returns whether the database is at fault, and not the content of a transaction. A later attempt may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean => isUnavailable(error);
