import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Log } from '../../platform/observability/log';
import { DatabaseState } from './database-state';
import { HealthController } from './health.controller';
import { Health } from './health.service';
import { TypeormDatabaseState } from './typeorm-database-state';

@Module({
  imports: [DatabaseModule],
  controllers: [HealthController],
  providers: [
    { provide: DatabaseState, useClass: TypeormDatabaseState },
    {
      provide: Health,
      useFactory: (database: DatabaseState, log: Log) => new Health(database, log),
      inject: [DatabaseState, Log],
    },
  ],
  exports: [Health],
})
export class HealthModule {}
