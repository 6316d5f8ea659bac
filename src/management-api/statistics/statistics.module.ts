import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { StatisticsController } from './statistics.controller';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';
import { TypeormStatisticsRepository } from './typeorm-statistics.repository';

@Module({
  imports: [DatabaseModule, DynamicLinksModule],
  controllers: [StatisticsController],
  providers: [StatisticsService, { provide: StatisticsRepository, useClass: TypeormStatisticsRepository }],
})
export class StatisticsModule {}
