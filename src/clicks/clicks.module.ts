import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Log } from '../platform/observability/log';
import { Metrics } from '../platform/observability/metrics';
import { MetricsModule } from '../platform/observability/metrics.module';
import { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { PoolFactory } from '../platform/postgres/pool-factory';
import { PoolModule } from '../platform/postgres/pool.module';
import { closeWhenReadOnly } from '../platform/postgres/read-only';
import { Clock } from '../shared/clock';
import { ClickRecorder } from './click-recorder';
import { ClickUpkeep } from './click-upkeep';
import { ClickRepository } from './click.repository';
import { PgClickRepository } from './pg-click.repository';

export class ClickSettings {
  /** Whether visits are recorded. */
  readonly record: boolean;
  /** Whole months that clicks are kept, in addition to the current one. */
  readonly retentionMonths: number;
}

/** One connection writes clicks and one maintains them. The pool is separate, so that other queries never wait behind clicks. */
const maxConnections = 2;

/** Provides `ClickRecorder`, which is null if visits are not recorded, and `ClickUpkeep`. */
@Module({
  imports: [PoolModule, MetricsModule],
  providers: [
    {
      provide: AdaptivePool,
      useFactory: (pools: PoolFactory) => {
        const pool = pools.open('clicks', maxConnections);
        closeWhenReadOnly(pool);
        return pool;
      },
      inject: [PoolFactory],
    },
    {
      provide: ClickRepository,
      useFactory: (pool: AdaptivePool) => new PgClickRepository(pool),
      inject: [AdaptivePool],
    },
    {
      provide: ClickUpkeep,
      useFactory: (clicks: ClickRepository, { retentionMonths }: ClickSettings, clock: Clock, log: Log) =>
        new ClickUpkeep(
          clicks,
          retentionMonths,
          clock,
          (partitions) => log.logger.info({ partitions }, 'dropped clicks that were kept long enough'),
          (error) => log.warn(`the upkeep of clicks goes on later: ${(error as Error).message}`),
        ),
      inject: [ClickRepository, ClickSettings, Clock, Log],
    },
    {
      provide: ClickRecorder,
      useFactory: (clicks: ClickRepository, { record }: ClickSettings, log: Log, metrics: Metrics | null) => {
        const recorder = record
          ? new ClickRecorder(clicks, (error) => log.warn(`clicks are not written: ${(error as Error).message}`))
          : null;
        metrics?.watchClicks(() => recorder?.counts ?? { recorded: 0, waiting: 0, dropped: 0 });
        return recorder;
      },
      inject: [ClickRepository, ClickSettings, Log, Metrics],
    },
  ],
  exports: [ClickRecorder],
})
export class ClicksModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  #flushed: Promise<unknown> | undefined;

  constructor(
    private readonly pool: AdaptivePool,
    private readonly upkeep: ClickUpkeep,
    @Inject(ClickRecorder) private readonly recorder: ClickRecorder | null,
  ) {}

  /** Creates the partitions for clicks, if the database answers. */
  async onModuleInit(): Promise<void> {
    await this.upkeep.maintainPartitions();
  }

  /** Begins to write the clicks that wait. It does not wait, so that all modules write at the same time. */
  beforeApplicationShutdown(): void {
    this.#flushed = Promise.all([this.recorder?.stop(), this.upkeep.stop()]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#flushed;
    await this.pool.end();
  }
}
