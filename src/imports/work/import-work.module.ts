import { Module } from '@nestjs/common';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';
import { HostAddresses } from '../../platform/outbound/host-addresses';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { AppsModule } from '../../links/apps/apps.module';
import { DynamicLinksModule } from '../../links/dynamic-links/dynamic-links.module';
import { ImportApiClient, ImportApiSettings } from '../apis/import-api-client';
import { ImportModelModule } from '../model/import-model.module';
import { ImportCounts } from '../model/import-processes';
import { ProjectsModule } from '../../links/projects/projects.module';
import { LinkTemplatesModule } from '../../links/link-templates/link-templates.module';
import { TagsModule } from '../../links/tags/tags.module';
import { ImportBatchService } from './import-batch.service';
import { ImportPlannerService } from './import-planner.service';
import { ImportRunnerService } from './import-runner.service';
import { ImportWorkerService } from './import-worker.service';
import { ImportWriterService } from './import-writer.service';
import { ListReaderService } from './list-reader.service';
import { Clock } from '../../shared/clock';
import { provideClass } from '../../shared/provide';

@Module({
  imports: [
    DatabaseModule,
    AccountsModule,
    AppsModule,
    DynamicLinksModule,
    ImportModelModule,
    ProjectsModule,
    LinkTemplatesModule,
    TagsModule,
  ],
  providers: [
    ImportBatchService,
    ImportPlannerService,
    ImportWriterService,
    ImportRunnerService,
    ListReaderService,
    ImportWorkerService,
    ImportCounts,
    provideClass(ImportApiClient, [HostAddresses, ImportApiSettings, Clock, ImportCounts]),
    { provide: HostAddresses, useClass: DnsHostAddresses },
  ],
})
export class ImportWorkModule {}
