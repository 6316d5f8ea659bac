import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DeadlineExceeded } from './database-error';
import { outsideRequests } from './request-context';
import { within } from './resilient-client';

/**
 * Returns the rows of a probe, with a limit for the wait for a connection too.
 * @throws DeadlineExceeded
 */
export async function probe<Row extends object>(pool: Pool, timeoutMs: number, text: string): Promise<Row[]> {
  const answer = pool.query<Row>(within(timeoutMs, { text }));
  answer.catch(() => {}); // a late error, after the timeout
  const answered = await Promise.race([answer, sleep(timeoutMs, null, { ref: false })]);
  if (answered === null) throw new DeadlineExceeded('the database did not answer a probe in time');
  return answered.rows;
}

/** Returns whether the database answers in time, also with a connection. The probe counts for no account. */
export const isAnswering = (pool: Pool, timeoutMs: number): Promise<boolean> =>
  outsideRequests(() => probe(pool, timeoutMs, 'SELECT 1')).then(
    () => true,
    () => false,
  );
