import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../shared/database-clock';
import { UnitOfWork } from '../../shared/unit-of-work';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { AdaptivePool } from './adaptive-pool';
import { TenantConnectionLimiter } from './tenant-connection-limiter';
import { DatabaseSettings } from './database-settings';
import { entitySchemas } from './entity-schemas';
import { isAnswering } from './probe';
import { PoolFactory } from './pool-factory';
import { PoolModule } from './pool.module';
import { limitTenantConnections } from './limit-tenant-connections';
import { timeLimits } from './time-limits';
import { TransactionContext } from './transaction-context';
import { provide } from '../../shared/provide';

/** Provides the one pool of the management API, for TypeORM and for SQL reads. */
@Module({
  imports: [PoolModule, MetricsModule],
  providers: [
    provide(AdaptivePool, [PoolFactory, DatabaseSettings, Metrics], (pools, { poolSize }, metrics: Metrics | null) => {
      const pool = pools.open('management API', poolSize);
      const shares = TenantConnectionLimiter.ofPool(poolSize, () => isAnswering(pool, timeLimits.shareProbe));
      metrics?.watch({
        signpost_database_share_waiting: () => shares.waiting,
        signpost_database_share_refused_total: () => shares.refused,
      });
      limitTenantConnections(pool, shares);
      return pool;
    }),
  ],
  exports: [AdaptivePool],
})
class ManagementPoolModule {}

/** Provides transactions. */
@Module({
  imports: [
    ManagementPoolModule,
    TypeOrmModule.forRootAsync({
      imports: [ManagementPoolModule],
      inject: [AdaptivePool],
      useFactory: (pool: AdaptivePool) => ({
        type: 'postgres' as const,
        driver: { Pool: returning(pool) },
        // `PoolFactory` has attached a handler that logs.
        poolErrorHandler: () => {},
        entities: entitySchemas,
        entitySkipConstructor: true,
        uuidExtension: 'pgcrypto' as const,
        installExtensions: false,
        // The database answered a moment ago, but a busy one may still exceed the time limit of a connection.
        retryAttempts: 4,
        retryDelay: 500,
        // TypeORM ends the pool if it fails after it has connected.
        toRetry: () => !pool.ended,
      }),
    }),
  ],
  providers: [
    TransactionContext,
    { provide: UnitOfWork, useExisting: TransactionContext },
    { provide: DatabaseClock, useExisting: TransactionContext },
  ],
  exports: [TransactionContext, UnitOfWork, DatabaseClock, ManagementPoolModule],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly dataSource: DataSource) {}

  /** Ends the pool here, because Nest stops global modules last, and TypeORM's is global. */
  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }
}

/** Creates a constructor for TypeORM's `driver` option, which replaces the module `pg`. It returns the existing pool. */
const returning = (pool: AdaptivePool) =>
  function Pool() {
    return pool;
  };
