import type { Pool } from 'pg';
import { poolOptions } from '../platform/postgres/connection';
import { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { closeWhenReadOnly } from '../platform/postgres/read-only';
import type { Clock } from '../shared/clock';
import type { Log } from '../platform/observability/log';
import { ClickRecorder } from './click-recorder';
import { ClickUpkeep } from './click-upkeep';
import { PgClickRepository } from './pg-click.repository';

/** Connections for clicks: one that writes them, one for their upkeep. Apart, so that nobody else waits behind a click. */
const connections = 2;

/** The writing of clicks with all that it stands on. It is put together by hand, like link traffic, which it serves. */
export class ClicksModule {
  /** Null where clicks are not to be recorded. */
  readonly recorder: ClickRecorder | null;
  readonly upkeep: ClickUpkeep;
  readonly pool: Pool;

  constructor(parts: {
    config: { recordClicks: boolean; clickRetentionMonths: number };
    databaseUrl: string;
    clock: Clock;
    log: Log;
  }) {
    const { config, databaseUrl, clock, log } = parts;
    this.pool = new AdaptivePool(poolOptions(databaseUrl, { max: connections, name: 'clicks' }));
    closeWhenReadOnly(this.pool);
    this.pool.on('error', (error) => log.warn(`an idle database connection was lost: ${error.message}`));
    const clicks = new PgClickRepository(this.pool);
    this.upkeep = new ClickUpkeep(
      clicks,
      config.clickRetentionMonths,
      clock,
      (partitions) => log.logger.info({ partitions }, 'dropped clicks that were kept long enough'),
      (error) => log.warn(`the upkeep of clicks goes on later: ${(error as Error).message}`),
    );
    this.recorder = config.recordClicks
      ? new ClickRecorder(clicks, (error) => log.warn(`clicks are not written: ${(error as Error).message}`))
      : null;
  }

  /** There is room for clicks, as far as the database gives any. */
  async open(): Promise<void> {
    await this.upkeep.maintainPartitions();
  }

  /** Writes what waits to be written, and lets go of the database. */
  async close(): Promise<void> {
    await Promise.all([this.recorder?.stop(), this.upkeep.stop()]);
    await this.pool.end();
  }
}
