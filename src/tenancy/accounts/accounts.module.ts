import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { PgAccountUsageRepository } from './pg-account-usage.repository';
import { PgOwnProjectRepository } from './pg-own-project.repository';
import { AccountRepository } from './account.repository';
import { ApprovalsModule } from '../approvals/approvals.module';
import { AccountsController } from './accounts.controller';
import { AccountsService } from './accounts.service';
import { ExportLimits } from './export-limits';
import { QuotaSettings } from './plan';
import { QuotaGate } from './quotas';
import { TypeormAccountRepository } from './typeorm-account.repository';
import { provide } from '../../shared/provide';

@Module({
  imports: [DatabaseModule, ApprovalsModule],
  controllers: [AccountsController],
  providers: [
    AccountsService,
    ExportLimits,
    { provide: AccountRepository, useClass: TypeormAccountRepository },
    PgAccountUsageRepository,
    PgOwnProjectRepository,
    provide(
      QuotaGate,
      [AccountRepository, PgAccountUsageRepository, QuotaSettings],
      (accounts, usage, { byPlan }) => new QuotaGate(accounts, usage, byPlan),
    ),
  ],
  exports: [AccountsService, AccountRepository, ExportLimits, PgOwnProjectRepository, QuotaGate],
})
export class AccountsModule {}
