import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { GroupNameRepository } from './group-name.repository';
import { StatisticsController } from './statistics.controller';
import { StatisticsRepository } from './statistics.repository';
import { StatisticsService } from './statistics.service';
import { TypeormGroupNameRepository } from './typeorm-group-name.repository';
import { TypeormStatisticsRepository } from './typeorm-statistics.repository';

@Module({
  imports: [DatabaseModule, DynamicLinksModule],
  controllers: [StatisticsController],
  providers: [
    StatisticsService,
    { provide: GroupNameRepository, useClass: TypeormGroupNameRepository },
    { provide: StatisticsRepository, useClass: TypeormStatisticsRepository },
  ],
})
export class StatisticsModule {}
