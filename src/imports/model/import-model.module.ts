import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { ImportIntakeService } from './import-intake.service';
import { PgImportQueue } from './pg-import-queue';
import { PgImportFiles } from './pg-import-files';
import { PgImportRows } from './pg-import-rows';
import { PgImportUpkeep } from './pg-import-upkeep';
import { SecretSeal } from '../../tenancy/api-keys/secret-seal';
import { TypeormImportRepository } from './typeorm-import.repository';
import { Pepper } from '../../tenancy/api-keys/pepper';
import { provideClass } from '../../shared/provide';

const providers = [
  ImportIntakeService,
  TypeormImportRepository,
  PgImportFiles,
  PgImportRows,
  PgImportUpkeep,
  PgImportQueue,
  provideClass(SecretSeal, [Pepper]),
];

@Module({
  imports: [DatabaseModule, AccountsModule],
  providers,
  exports: providers,
})
export class ImportModelModule {}
