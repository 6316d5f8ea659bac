import { Module } from '@nestjs/common';
import { CustomDomainsModule } from '../../links/custom-domains/custom-domains.module';
import { ProjectsModule } from '../../links/projects/projects.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { ApprovalsModule } from '../../tenancy/approvals/approvals.module';
import { MembersModule } from '../../tenancy/members/members.module';
import { UsersModule } from '../../tenancy/users/users.module';
import { ApprovalsController } from './approvals.controller';
import { ApprovalsService } from './approvals.service';
import { ApprovedOperations } from './approved-operations';

@Module({
  imports: [
    DatabaseModule,
    AccountsModule,
    ApprovalsModule,
    MembersModule,
    UsersModule,
    ProjectsModule,
    CustomDomainsModule,
  ],
  controllers: [ApprovalsController],
  providers: [ApprovalsService, ApprovedOperations],
})
export class ApprovalsApiModule {}
