import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../accounts/accounts.module';
import { ApprovalsModule } from '../approvals/approvals.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { MemberRepository } from './member.repository';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';
import { TypeormMemberRepository } from './typeorm-member.repository';

@Module({
  imports: [DatabaseModule, AccountsModule, ApprovalsModule, IdempotencyModule],
  controllers: [MembersController],
  providers: [MembersService, { provide: MemberRepository, useClass: TypeormMemberRepository }],
  exports: [MembersService],
})
export class MembersModule {}
