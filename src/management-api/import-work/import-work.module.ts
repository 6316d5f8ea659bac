import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../accounts/accounts.module';
import { AndroidAppsModule } from '../android-apps/android-apps.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { IosAppsModule } from '../ios-apps/ios-apps.module';
import { ProjectsModule } from '../projects/projects.module';
import { TagsModule } from '../tags/tags.module';
import { ImportBatch } from './import-batch.service';
import { ImportPlanner } from './import-planner.service';
import { ImportWriter } from './import-writer.service';
import { ImportRowRepository } from '../import-model/import-row.repository';
import { ImportRepository } from '../import-model/import.repository';
import { ImportRunner } from './import-runner.service';
import { ImportSchema } from '../import-model/import.schema';
import { ImportUpload } from './import-upload.service';
import { LocalImportWork } from './local-import-work.service';
import { PgImportRowRepository } from '../import-model/pg-import-row.repository';
import { TypeormImportRepository } from '../import-model/typeorm-import.repository';

/** Contains what works on imports. The thread of imports has this module too. */
@Module({
  imports: [
    DatabaseModule,
    TypeOrmModule.forFeature([ImportSchema]),
    AccountsModule,
    AndroidAppsModule,
    DynamicLinksModule,
    IosAppsModule,
    ProjectsModule,
    TagsModule,
  ],
  providers: [
    ImportBatch,
    ImportPlanner,
    ImportWriter,
    ImportRunner,
    ImportUpload,
    LocalImportWork,
    { provide: ImportRepository, useClass: TypeormImportRepository },
    { provide: ImportRowRepository, useClass: PgImportRowRepository },
  ],
  exports: [ImportRepository, ImportRowRepository, ImportUpload, LocalImportWork],
})
export class ImportWorkModule {}
