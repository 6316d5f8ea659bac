import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Clock } from '../../shared/clock';
import { AccountsModule } from '../accounts/accounts.module';
import { AndroidAppsModule } from '../android-apps/android-apps.module';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { IosAppsModule } from '../ios-apps/ios-apps.module';
import { ProjectsModule } from '../projects/projects.module';
import { TagsModule } from '../tags/tags.module';
import { ImportApisModule } from '../import-apis/import-apis.module';
import { ImportApiClient } from '../import-apis/import-api-client';
import { EventLimits } from './event-limits';
import { ImportBatch } from './import-batch.service';
import { ImportFetches } from './import-fetches.service';
import { ImportFromApiController } from './import-from-api.controller';
import { ImportIntake } from './import-intake.service';
import { ImportPurge } from './import-purge';
import { ImportQueue } from './import-queue';
import { ImportRepository } from './import.repository';
import { ImportRunner } from './import-runner.service';
import { ImportSchema } from './import.schema';
import { ImportUpload } from './import-upload.service';
import { ImportsController } from './imports.controller';
import { ImportsService } from './imports.service';
import { PgImportQueue } from './pg-import-queue';
import { TypeormImportRepository } from './typeorm-import.repository';

@Module({
  imports: [
    DatabaseModule,
    TypeOrmModule.forFeature([ImportSchema]),
    AccountsModule,
    AndroidAppsModule,
    DynamicLinksModule,
    ImportApisModule,
    IosAppsModule,
    MetricsModule,
    ProjectsModule,
    TagsModule,
  ],
  // `from-api` is no id of an import, so its route comes first.
  controllers: [ImportFromApiController, ImportsController],
  providers: [
    ImportsService,
    ImportIntake,
    ImportUpload,
    ImportFetches,
    EventLimits,
    ImportBatch,
    ImportRunner,
    { provide: ImportQueue, useClass: PgImportQueue },
    { provide: ImportRepository, useClass: TypeormImportRepository },
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
export class ImportsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly queue: ImportQueue,
    private readonly purge: ImportPurge,
    private readonly runner: ImportRunner,
    private readonly fetches: ImportFetches,
    client: ImportApiClient,
    @Inject(Metrics) metrics: Metrics | null,
  ) {
    metrics?.watchImports(runner.counts, client.counts);
  }

  onApplicationBootstrap(): void {
    this.queue.start((importId) => this.runner.runSlice(importId));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.runner.stop();
    await Promise.all([this.fetches.stop(), this.queue.stop(), this.purge.stop()]);
  }
}
