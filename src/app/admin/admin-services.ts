import { ClickHouseClickCopy } from '../../clicks/recording/clickhouse-click-copy';
import { AccountsService } from '../../tenancy/accounts/accounts.service';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import { ApiKeysService } from '../../tenancy/api-keys/api-keys.service';
import { BadSetting } from '../../shared/bad-setting';
import { UnitOfWork } from '../../shared/unit-of-work';
import { withContext } from '../command-context';
import { readConfig } from '../settings/config';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { ClickCopyModule } from '../../clicks/recording/click-copy.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { ApiKeysModule } from '../../tenancy/api-keys/api-keys.module';
import { MembersModule } from '../../tenancy/members/members.module';
import { UsersModule } from '../../tenancy/users/users.module';
import { UsersService } from '../../tenancy/users/users.service';
import { PgAccountErasure } from '../../tenancy/users/pg-account-erasure';
import { MembersService } from '../../tenancy/members/members.service';
import { ProjectRepository } from '../../links/projects/project.repository';
import { TypeormProjectRepository } from '../../links/projects/typeorm-project.repository';
import { DatabaseModule } from '../../platform/postgres/database.module';

/** Assembles what the admin program needs: no listener, no link traffic, no Redis. */
@Module({
  imports: [DatabaseModule, AccountsModule, ApiKeysModule, MembersModule, UsersModule, ClickCopyModule, JournalModule],
  // ProjectsModule would also start its purges.
  providers: [{ provide: ProjectRepository, useClass: TypeormProjectRepository }],
})
class AdminModule {}

const servicesOf = (app: INestApplicationContext) => ({
  accounts: app.get(AccountsService),
  keys: app.get(ApiKeysService),
  journal: app.get(PgJournalRepository),
  members: app.get(MembersService),
  users: app.get(UsersService),
  erasure: app.get(PgAccountErasure),
  unitOfWork: app.get(UnitOfWork),
  projects: app.get(ProjectRepository),
  /** Copies clicks to ClickHouse; null without it. */
  clicks: app.get<ClickHouseClickCopy | null>(ClickHouseClickCopy),
});

export type AdminServices = ReturnType<typeof servicesOf>;

/** Opens the application services on the configured database, runs `work` and closes them. */
export async function withServices<T>(work: (services: AdminServices) => Promise<T>): Promise<T> {
  const config = readConfig();
  if (config.primaryDatabaseUrl !== undefined)
    throw new BadSetting(
      'PRIMARY_DATABASE_URL: accounts and keys are in the primary; run this command with its settings',
    );
  return withContext(config, AdminModule, (app) => work(servicesOf(app)));
}
