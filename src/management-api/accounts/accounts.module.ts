import { type DynamicModule, Module } from '@nestjs/common';
import { AccountUsageRepository } from './account-usage.repository';
import { AccountRepository } from './account.repository';
import { AccountsController } from './accounts.controller';
import { AccountsService } from './accounts.service';
import type { Plan, Quotas } from './plan';
import { QuotaGate } from './quotas';
import { TypeormAccountUsageRepository } from './typeorm-account-usage.repository';
import { TypeormAccountRepository } from './typeorm-account.repository';

@Module({})
export class AccountsModule {
  static with(quotas: Record<Plan, Quotas>): DynamicModule {
    return {
      module: AccountsModule,
      global: true,
      controllers: [AccountsController],
      providers: [
        AccountsService,
        { provide: AccountRepository, useClass: TypeormAccountRepository },
        { provide: AccountUsageRepository, useClass: TypeormAccountUsageRepository },
        {
          provide: QuotaGate,
          useFactory: (accounts: AccountRepository, usage: AccountUsageRepository) =>
            new QuotaGate(accounts, usage, quotas),
          inject: [AccountRepository, AccountUsageRepository],
        },
      ],
      exports: [AccountsService, AccountRepository, QuotaGate],
    };
  }
}
