import { Inject, Module } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ProjectsModule } from '../projects/projects.module';
import { ExportLimits } from './export-limits';
import { LinkExportController } from './link-export.controller';
import { LinkExportService } from './link-export.service';

@Module({
  imports: [DynamicLinksModule, MetricsModule, ProjectsModule],
  controllers: [LinkExportController],
  providers: [LinkExportService, ExportLimits],
  exports: [ExportLimits],
})
export class LinkExportModule {
  constructor(limits: ExportLimits, @Inject(Metrics) metrics: Metrics | null) {
    metrics?.watchExports(limits);
  }
}
