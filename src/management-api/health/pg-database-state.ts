import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DeadlineExceeded } from '../../platform/postgres/database-error';
import { within } from '../../platform/postgres/resilient-client';
import { missingMigrations } from '../../platform/schema/schema-state';
import { timeLimits } from '../../platform/postgres/time-limits';

/** Probes without a deadline, whose context would slow visits down. */
export class PgDatabaseState {
  constructor(private readonly pool: Pool) {}

  missingMigrations(): Promise<string[]> {
    return missingMigrations((sql) => this.#query<{ name: string }>(sql));
  }

  async ping(): Promise<void> {
    await this.#query('SELECT 1');
  }

  /** Limits the wait for a connection too. */
  async #query<Row extends object>(text: string): Promise<Row[]> {
    const timeoutMs = timeLimits.probe;
    const answer = this.pool.query<Row>(within(timeoutMs, { text }));
    const timeout = sleep(timeoutMs, undefined, { ref: false }).then((): never => {
      throw new DeadlineExceeded('the database did not answer a probe in time');
    });
    answer.catch(() => {}); // a late error, after the timeout
    timeout.catch(() => {});
    return (await Promise.race([answer, timeout])).rows;
  }
}
