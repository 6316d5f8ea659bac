import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../links/projects/projects.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { ClickReadsModule } from '../click-reads.module';
import { PgConversionExport } from './pg-conversion-export';
import { ConversionStatisticsService } from './conversion-statistics.service';
import { ConversionStatisticsController } from './conversion-statistics.controller';
import { ConversionsController } from './conversions.controller';
import { ConversionsService } from './conversions.service';
import { PgConversionRepository } from './pg-conversion.repository';
import { PgConversionStatisticsRepository } from './pg-conversion-statistics.repository';

@Module({
  imports: [DatabaseModule, AccountsModule, ClickReadsModule, JournalModule, ProjectsModule],
  controllers: [ConversionsController, ConversionStatisticsController],
  providers: [
    PgConversionExport,
    ConversionStatisticsService,
    ConversionsService,
    PgConversionRepository,
    PgConversionStatisticsRepository,
  ],
})
export class ConversionsModule {}
