import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { ImportModelModule } from '../model/import-model.module';
import { ImportProcesses, watchImports } from '../model/import-processes';
import { PgImportQueue } from '../model/pg-import-queue';
import { ParallelShutdown } from '../../shared/parallel-shutdown';
import { ImportPurgeService } from './import-purge.service';
import { ImportUploadService } from './import-upload.service';
import { ImportRowsController } from './import-rows.controller';
import { ImportsController } from './imports.controller';
import { ImportsService } from './imports.service';
import { NewImportsController, UploadLimits } from './new-imports.controller';

@Module({
  imports: [DatabaseModule, AccountsModule, ImportModelModule, MetricsModule],
  controllers: [NewImportsController, ImportsController, ImportRowsController],
  providers: [ImportsService, ImportUploadService, UploadLimits, ImportPurgeService],
})
export class ImportsModule extends ParallelShutdown implements OnApplicationBootstrap {
  constructor(
    private readonly processes: ImportProcesses,
    private readonly queue: PgImportQueue,
    @Inject(Metrics) metrics: Metrics | null,
  ) {
    super();
    if (processes.counts) watchImports(metrics, processes.counts);
  }

  onApplicationBootstrap(): void {
    this.processes.start(() => this.queue.hasJobs());
  }

  stop(): Promise<void> {
    return this.processes.stop();
  }
}
