import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ApprovalsModule } from '../approvals/approvals.module';
import { JournalModule } from '../journal/journal.module';
import { MembersModule } from '../members/members.module';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';
import { PgAccountErasure } from './pg-account-erasure';
import { PgUserDataRepository } from './pg-user-data.repository';

@Module({
  imports: [DatabaseModule, ApprovalsModule, JournalModule, MembersModule],
  controllers: [UsersController],
  providers: [UsersService, PgUserDataRepository, PgAccountErasure],
  exports: [UsersService, PgAccountErasure],
})
export class UsersModule {}
