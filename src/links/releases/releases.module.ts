import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { AppsModule } from '../apps/apps.module';
import { releaseSchemas } from './release.schema';
import { AndroidAppReleasesController, IosAppReleasesController } from './releases.controller';
import { ReleasesService } from './releases.service';
import { TypeormReleaseRepository } from './typeorm-release.repository';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature(Object.values(releaseSchemas)), IdempotencyModule, AppsModule],
  controllers: [IosAppReleasesController, AndroidAppReleasesController],
  providers: [ReleasesService, TypeormReleaseRepository],
})
export class ReleasesModule {}
