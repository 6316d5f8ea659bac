import { Module } from '@nestjs/common';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Log } from '../../platform/observability/log';
import { DatabaseState } from './database-state';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';
import { PgDatabaseState } from './pg-database-state';

@Module({
  imports: [DatabaseModule],
  controllers: [HealthController],
  providers: [
    { provide: DatabaseState, useFactory: (pool: AdaptivePool) => new PgDatabaseState(pool), inject: [AdaptivePool] },
    {
      provide: HealthService,
      useFactory: (database: DatabaseState, log: Log) => new HealthService(database, log),
      inject: [DatabaseState, Log],
    },
  ],
  exports: [HealthService],
})
export class HealthModule {}
