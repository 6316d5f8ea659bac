import { type DynamicModule, Module } from '@nestjs/common';
import { AccountRepository } from './account.repository';
import { AccountsController } from './accounts.controller';
import { AccountsService } from './accounts.service';
import type { Plan, Quotas } from './plan';
import { QuotaGate } from './quotas';
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
        {
          provide: QuotaGate,
          useFactory: (accounts: AccountRepository) => new QuotaGate(accounts, quotas),
          inject: [AccountRepository],
        },
      ],
      exports: [AccountsService, AccountRepository, QuotaGate],
    };
  }
}
