import type { Pool } from 'pg';
import { probe } from '../../platform/postgres/probe';
import { timeLimits } from '../../platform/postgres/time-limits';
import { missingMigrations } from '../../platform/schema/schema-state';

/** Probes without a deadline, whose context would slow visits down. */
export class PgDatabaseState {
  constructor(private readonly pool: Pool) {}

  missingMigrations(): Promise<string[]> {
    return missingMigrations((sql) => probe(this.pool, timeLimits.probe, sql));
  }

  async ping(): Promise<void> {
    await probe(this.pool, timeLimits.probe, 'SELECT 1');
  }
}
