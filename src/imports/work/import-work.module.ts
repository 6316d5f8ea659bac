import { Module } from '@nestjs/common';
import { DnsSettings } from '../../platform/dns/dns-settings';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Clock } from '../../shared/clock';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { AppsModule } from '../../links/apps/apps.module';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { ImportApiClient } from '../apis/import-api-client';
import { ImportApiSettings } from '../apis/import-api-settings';
import { ImportModelModule } from '../model/import-model.module';
import { ImportCounts } from '../model/import-processes';
import { ProjectsModule } from '../../links/projects/projects.module';
import { TagsModule } from '../../links/tags/tags.module';
import { ImportBatchService } from './import-batch.service';
import { ImportPlannerService } from './import-planner.service';
import { ImportRunnerService } from './import-runner.service';
import { ImportWorkerService } from './import-worker.service';
import { ImportWriterService } from './import-writer.service';
import { ListReaderService } from './list-reader.service';
import { provide } from '../../shared/provide';

@Module({
  imports: [
    DatabaseModule,
    AccountsModule,
    AppsModule,
    DynamicLinksModule,
    ImportModelModule,
    ProjectsModule,
    TagsModule,
  ],
  providers: [
    ImportBatchService,
    ImportPlannerService,
    ImportWriterService,
    ImportRunnerService,
    ListReaderService,
    ImportWorkerService,
    { provide: ImportCounts, useFactory: () => new ImportCounts() },
    provide(
      ImportApiClient,
      [DnsSettings, ImportApiSettings, Clock, ImportCounts],
      ({ resolvers }, settings, clock, counts) =>
        new ImportApiClient(new DnsHostAddresses(resolvers), settings, clock, counts),
    ),
  ],
})
export class ImportWorkModule {}
