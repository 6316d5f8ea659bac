import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountUsageRepository } from './account-usage.repository';
import { AccountRepository } from './account.repository';
import { AccountSchema, UserSchema } from './account.schema';
import { AccountsController } from './accounts.controller';
import { AccountsService } from './accounts.service';
import { QuotaSettings } from './quota-settings';
import { QuotaGate } from './quotas';
import { PgAccountUsageRepository } from './pg-account-usage.repository';
import { TypeormAccountRepository } from './typeorm-account.repository';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([AccountSchema, UserSchema])],
  controllers: [AccountsController],
  providers: [
    AccountsService,
    { provide: AccountRepository, useClass: TypeormAccountRepository },
    { provide: AccountUsageRepository, useClass: PgAccountUsageRepository },
    {
      provide: QuotaGate,
      useFactory: (accounts: AccountRepository, usage: AccountUsageRepository, { byPlan }: QuotaSettings) =>
        new QuotaGate(accounts, usage, byPlan),
      inject: [AccountRepository, AccountUsageRepository, QuotaSettings],
    },
  ],
  exports: [AccountsService, AccountRepository, QuotaGate],
})
export class AccountsModule {}
