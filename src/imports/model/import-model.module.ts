import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { ImportIntakeService } from './import-intake.service';
import { PgImportQueue } from './pg-import-queue';
import { ImportSchema } from './import.schema';
import { PgImportFiles } from './pg-import-files';
import { PgImportQuotas } from './pg-import-quotas';
import { PgImportRows } from './pg-import-rows';
import { PgImportUpkeep } from './pg-import-upkeep';
import { TokenSeal } from './token-seal';
import { TypeormImportRepository } from './typeorm-import.repository';
import { Pepper } from '../../tenancy/api-keys/pepper';
import { provideClass } from '../../shared/provide';

/** Contains the state of imports, which the API and the processes of imports share. */
@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([ImportSchema]), AccountsModule],
  providers: [
    ImportIntakeService,
    TypeormImportRepository,
    PgImportFiles,
    PgImportRows,
    PgImportQuotas,
    PgImportUpkeep,
    PgImportQueue,
    provideClass(TokenSeal, [Pepper]),
  ],
  exports: [
    ImportIntakeService,
    TypeormImportRepository,
    PgImportFiles,
    PgImportRows,
    PgImportQueue,
    PgImportQuotas,
    PgImportUpkeep,
    TokenSeal,
  ],
})
export class ImportModelModule {}
