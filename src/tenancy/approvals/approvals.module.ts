import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { provideClass } from '../../shared/provide';
import { ApprovalGate } from './approval-gate';
import { PgApprovalRepository } from './pg-approval.repository';

@Module({
  imports: [DatabaseModule],
  providers: [provideClass(ApprovalGate, [PgApprovalRepository]), PgApprovalRepository],
  exports: [ApprovalGate, PgApprovalRepository],
})
export class ApprovalsModule {}
