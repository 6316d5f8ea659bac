import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../accounts/accounts.module';
import { AndroidAppsModule } from '../android-apps/android-apps.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ImportApisModule } from '../import-apis/import-apis.module';
import { ImportModelModule } from '../import-model/import-model.module';
import { IosAppsModule } from '../ios-apps/ios-apps.module';
import { ProjectsModule } from '../projects/projects.module';
import { TagsModule } from '../tags/tags.module';
import { ImportBatch } from './import-batch.service';
import { ImportPlanner } from './import-planner.service';
import { ImportRunner } from './import-runner.service';
import { ImportWorker } from './import-worker.service';
import { ImportWriter } from './import-writer.service';
import { ListReader } from './list-reader.service';

/** Contains what a process of imports does. */
@Module({
  imports: [
    DatabaseModule,
    AccountsModule,
    AndroidAppsModule,
    DynamicLinksModule,
    ImportApisModule,
    ImportModelModule,
    IosAppsModule,
    ProjectsModule,
    TagsModule,
  ],
  providers: [ImportBatch, ImportPlanner, ImportWriter, ImportRunner, ListReader, ImportWorker],
})
export class ImportWorkModule {}
