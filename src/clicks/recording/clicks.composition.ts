import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { failureReason } from '../../platform/clickhouse/failure-reason';
import type { Log } from '../../platform/observability/log';
import type { Metrics } from '../../platform/observability/metrics';
import type { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import type { PoolFactory } from '../../platform/postgres/pool-factory';
import { ClickRecorder } from './click-recorder';
import { ClickUpkeep } from './click-upkeep';
import { ClickHouseClickRepository } from './clickhouse-click.repository';
import { PgClickHousePurges } from './pg-clickhouse-purges';
import { PgClickRepository } from './pg-click.repository';

export class ClickSettings {
  readonly record: boolean;
  /** Whole months that clicks are kept, in addition to the current one. */
  readonly retentionMonths: number;
  readonly migrate: boolean;
  readonly writesBoth: boolean;
}

export interface ClicksDependencies {
  settings: ClickSettings;
  pools: PoolFactory;
  log: Log;
  metrics: Metrics | null;
  /** Stores clicks; null if PostgreSQL does. */
  clickHouse: ClickHouse | null;
  isRegion?: boolean;
}

/** One connection writes clicks and one maintains them. The pool is separate, so that other queries never wait behind clicks. */
const maxConnections = 2;

const endTimeoutMs = 1000;

/** Builds the recording and the upkeep of clicks. The composition of each role starts and stops it. */
export class Clicks {
  /** Null if visits are not recorded. */
  readonly recorder: ClickRecorder | null;
  readonly upkeep: ClickUpkeep;
  readonly repository: PgClickRepository;
  readonly #pool: AdaptivePool;
  #flushed: Promise<unknown> | undefined;

  constructor({ settings, pools, log, metrics, clickHouse, isRegion = false }: ClicksDependencies) {
    this.#pool = pools.open('clicks', maxConnections);
    const repository = clickHouse
      ? new ClickHouseClickRepository(clickHouse, new PgClickHousePurges(this.#pool), settings, this.#pool, isRegion)
      : new PgClickRepository(this.#pool, isRegion);
    this.repository = repository;
    this.upkeep = new ClickUpkeep(
      repository,
      settings.retentionMonths,
      (partitions) => log.logger.info({ partitions }, 'dropped clicks that were kept long enough'),
      (error) => log.warn(`the upkeep of clicks failed and will be retried: ${failureReason(error)}`),
    );
    const recorder = settings.record
      ? new ClickRecorder(repository, (error) => log.warn(`clicks are not written: ${failureReason(error)}`))
      : null;
    const clicks = (count: 'recorded' | 'waiting' | 'dropped') => () => recorder?.counts[count] ?? 0;
    metrics?.watch({
      signpost_clicks_waiting: clicks('waiting'),
      signpost_clicks_recorded_total: clicks('recorded'),
      signpost_clicks_dropped_total: clicks('dropped'),
    });
    this.recorder = recorder;
  }

  /** Creates the partitions for clicks, if the database answers. */
  async start(): Promise<void> {
    await this.upkeep.maintainPartitions();
  }

  /** Begins to write the clicks that wait. It does not wait, so that all parts write at the same time. */
  flush(): void {
    this.#flushed = Promise.all([this.recorder?.stop(), this.upkeep.stop()]);
  }

  /** Waits for the last writes, and closes the pool. The end of the process closes the connection of a roll-up that takes long. */
  async close(): Promise<void> {
    await this.#flushed;
    await Promise.race([this.#pool.end(), sleep(endTimeoutMs, undefined, { ref: false })]);
  }
}
