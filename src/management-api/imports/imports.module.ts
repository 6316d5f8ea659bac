import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { WorkerThread } from '../../platform/threads/worker-thread';
import { Clock } from '../../shared/clock';
import { AccountsModule } from '../accounts/accounts.module';
import { ImportApisModule } from '../import-apis/import-apis.module';
import { ImportApiClient } from '../import-apis/import-api-client';
import { ParallelShutdown } from '../kit/parallel-shutdown';
import { LinkExportModule } from '../link-export/link-export.module';
import { EventLimits } from './event-limits';
import { ImportFetches } from './import-fetches.service';
import { ImportFromApiController } from './import-from-api.controller';
import { ImportIntake } from './import-intake.service';
import { ImportPurge } from './import-purge';
import { ImportQueue } from '../import-work/import-queue';
import { ImportRepository } from '../import-model/import.repository';
import { ThreadImportWork } from '../import-work/thread-import-work';
import { ImportWork } from '../import-work/import-work';
import { ImportWorkModule } from '../import-work/import-work.module';
import { ImportWorkSettings } from '../import-work/import-work-settings';
import { ImportsController } from './imports.controller';
import { ImportsService } from './imports.service';
import { LocalImportWork } from '../import-work/local-import-work.service';
import { PgImportQueue } from '../import-work/pg-import-queue';
import { UploadLimits } from './upload-limits';

@Module({
  imports: [DatabaseModule, AccountsModule, ImportApisModule, ImportWorkModule, LinkExportModule, MetricsModule],
  // `from-api` is no id of an import, so its route comes first.
  controllers: [ImportFromApiController, ImportsController],
  providers: [
    ImportsService,
    ImportIntake,
    ImportFetches,
    EventLimits,
    UploadLimits,
    {
      provide: ImportWork,
      useFactory: ({ thread }: ImportWorkSettings, local: LocalImportWork, log: Log) =>
        thread ? new ThreadImportWork(new WorkerThread(thread, log)) : local,
      inject: [ImportWorkSettings, LocalImportWork, Log],
    },
    { provide: ImportQueue, useClass: PgImportQueue },
    {
      provide: ImportPurge,
      useFactory: (imports: ImportRepository, clock: Clock, log: Log) =>
        new ImportPurge(imports, clock, (error) =>
          log.warn(`the purge of old imports goes on later: ${(error as Error).message}`),
        ),
      inject: [ImportRepository, Clock, Log],
    },
  ],
})
export class ImportsModule extends ParallelShutdown implements OnApplicationBootstrap {
  constructor(
    private readonly queue: ImportQueue,
    private readonly purge: ImportPurge,
    private readonly work: ImportWork,
    private readonly fetches: ImportFetches,
    client: ImportApiClient,
    @Inject(Metrics) metrics: Metrics | null,
  ) {
    super();
    metrics?.watchImports(work.counts, client.counts);
  }

  onApplicationBootstrap(): void {
    this.queue.start((importId) => this.work.runSlice(importId));
  }

  protected async stop(): Promise<void> {
    await this.work.stopSlices();
    await Promise.all([this.fetches.stop(), this.queue.stop(), this.purge.stop()]);
    await this.work.close();
  }
}
