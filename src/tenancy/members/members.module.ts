import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../accounts/accounts.module';
import { ApprovalsModule } from '../approvals/approvals.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { TypeormMemberRepository } from './typeorm-member.repository';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';

@Module({
  imports: [DatabaseModule, AccountsModule, ApprovalsModule, IdempotencyModule],
  controllers: [MembersController],
  providers: [MembersService, TypeormMemberRepository],
  exports: [MembersService],
})
export class MembersModule {}
