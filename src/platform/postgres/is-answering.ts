import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { outsideRequests } from './deadline';
import { within } from './resilient-client';

/** Returns whether the database answers in time, also with a connection. The probe counts for no account. */
export function isAnswering(pool: Pool, timeoutMs: number): Promise<boolean> {
  const probe = outsideRequests(() => pool.query(within(timeoutMs, { text: 'SELECT 1' })));
  return Promise.race([
    probe.then(
      () => true,
      () => false,
    ),
    sleep(timeoutMs, false, { ref: false }),
  ]);
}
