import { Inject, Module } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ProjectsModule } from '../projects/projects.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { ExportLimits } from '../../tenancy/accounts/export-limits';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { LinkExportController } from './link-export.controller';
import { LinkExportService } from './link-export.service';

@Module({
  imports: [AccountsModule, DynamicLinksModule, JournalModule, MetricsModule, ProjectsModule],
  controllers: [LinkExportController],
  providers: [LinkExportService],
})
export class LinkExportModule {
  constructor(limits: ExportLimits, @Inject(Metrics) metrics: Metrics | null) {
    metrics?.watch({ signpost_exports_running: () => limits.running });
  }
}
