import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../platform/postgres/database-error';
import { withDeadline } from '../../platform/postgres/deadline';
import { timeLimits } from '../../platform/postgres/time-limits';
import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';

/** A failover of the database takes some seconds. */
const maxAttempts = 10;
const retryDelayMs = 1000;

/**
 * Reads in a response that takes longer than a request may. Each read has the time of a request. One that an outage of the database,
 * or the share of the account, has refused is repeated.
 */
export async function retriedRead<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withDeadline(timeLimits.request, read);
    } catch (error) {
      const isPassing = isUnavailable(error) || error instanceof RateLimited;
      if (!isPassing || attempt === maxAttempts) throw error;
      await sleep(retryDelayMs);
    }
  }
}
