import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ApprovalGate } from './approval-gate';
import { PgApprovalRepository } from './pg-approval.repository';

@Module({
  imports: [DatabaseModule],
  providers: [ApprovalGate, PgApprovalRepository],
  exports: [ApprovalGate, PgApprovalRepository],
})
export class ApprovalsModule {}
