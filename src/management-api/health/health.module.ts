import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { DatabaseState } from './database-state';
import { HealthController } from './health.controller';
import { Health } from './health.service';
import { TypeormDatabaseState } from './typeorm-database-state';

@Module({
  imports: [DatabaseModule],
  controllers: [HealthController],
  providers: [Health, { provide: DatabaseState, useClass: TypeormDatabaseState }],
  exports: [Health],
})
export class HealthModule {}
