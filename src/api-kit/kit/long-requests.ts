import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../platform/postgres/database-error';
import { outsideRequests, withDeadline } from '../../platform/postgres/request-context';
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

/** Returns whether the database is at fault, and not the content of a transaction. A later attempt may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean => isUnavailable(error);
