import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../accounts/accounts.module';
import { Pepper } from '../api-keys/pepper';
import { ImportFileRepository } from './import-file.repository';
import { ImportIntake } from './import-intake.service';
import { ImportQueue } from './import-queue';
import { ImportRowRepository } from './import-row.repository';
import { ImportRepository } from './import.repository';
import { ImportSchema } from './import.schema';
import { PgImportFileRepository } from './pg-import-file.repository';
import { PgImportQueue } from './pg-import-queue';
import { PgImportRowRepository } from './pg-import-row.repository';
import { TokenSeal } from './token-seal';
import { TypeormImportRepository } from './typeorm-import.repository';

/** Contains the state of imports, which the API and the processes of imports share. */
@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([ImportSchema]), AccountsModule],
  providers: [
    ImportIntake,
    { provide: ImportRepository, useClass: TypeormImportRepository },
    { provide: ImportFileRepository, useClass: PgImportFileRepository },
    { provide: ImportRowRepository, useClass: PgImportRowRepository },
    { provide: ImportQueue, useClass: PgImportQueue },
    { provide: TokenSeal, useFactory: (pepper: Pepper) => new TokenSeal(pepper), inject: [Pepper] },
  ],
  exports: [ImportIntake, ImportRepository, ImportFileRepository, ImportRowRepository, ImportQueue, TokenSeal],
})
export class ImportModelModule {}
