import { Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';
import { AccountsModule } from '../accounts/accounts.module';
import { AccessJournal } from './access-journal';
import { AuditLogController } from './audit-log.controller';
import { JournalSettings } from './journal-settings';
import { JournalUpkeep } from './journal-upkeep';
import { PgJournalRepository } from './pg-journal.repository';

@Module({
  imports: [DatabaseModule, AccountsModule],
  controllers: [AuditLogController],
  providers: [
    PgJournalRepository,
    provideClass(AccessJournal, [PgJournalRepository, Log]),
    provideClass(JournalUpkeep, [PgJournalRepository, JournalSettings, Log, BackgroundJobs]),
  ],
  exports: [AccessJournal, PgJournalRepository],
})
export class JournalModule {}
