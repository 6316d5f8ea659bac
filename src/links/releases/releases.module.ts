import { Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { AppsModule } from '../apps/apps.module';
import { PgRareReleases } from './pg-rare-releases';
import { ReleaseRetirement } from './release-retirement';
import { AndroidAppReleasesController, IosAppReleasesController } from './releases.controller';
import { ReleasesService } from './releases.service';
import { TypeormReleaseRepository } from './typeorm-release.repository';

@Module({
  imports: [DatabaseModule, IdempotencyModule, AppsModule],
  controllers: [IosAppReleasesController, AndroidAppReleasesController],
  providers: [
    ReleasesService,
    TypeormReleaseRepository,
    PgRareReleases,
    provideClass(ReleaseRetirement, [PgRareReleases, Log, BackgroundJobs]),
  ],
})
export class ReleasesModule {}
