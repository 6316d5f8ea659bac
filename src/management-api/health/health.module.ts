import { Module } from '@nestjs/common';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Log } from '../../platform/observability/log';
import { PgDatabaseState } from './pg-database-state';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule],
  controllers: [HealthController],
  providers: [
    provide(PgDatabaseState, [AdaptivePool], (pool) => new PgDatabaseState(pool)),
    provide(HealthService, [PgDatabaseState, Log], (database, log) => new HealthService(database, log)),
  ],
  exports: [HealthService],
})
export class HealthModule {}
