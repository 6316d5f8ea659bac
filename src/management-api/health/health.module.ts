import { Module } from '@nestjs/common';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Log } from '../../platform/observability/log';
import { PgDatabaseState } from './pg-database-state';
import { PgWorkState } from './pg-work-state';
import { HealthService } from './health.service';
import { provideClass } from '../../shared/provide';
import { ServiceHealthController } from './service-health.controller';

@Module({
  imports: [DatabaseModule],
  controllers: [ServiceHealthController],
  providers: [
    PgWorkState,
    provideClass(PgDatabaseState, [AdaptivePool]),
    provideClass(HealthService, [PgDatabaseState, Log]),
  ],
  exports: [HealthService],
})
export class HealthModule {}
