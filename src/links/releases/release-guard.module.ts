import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { PgGuardedProject } from './pg-guarded-project';
import { ReleaseGuard } from './release-guard';

@Module({
  imports: [DatabaseModule],
  providers: [ReleaseGuard, PgGuardedProject],
  exports: [ReleaseGuard, PgGuardedProject],
})
export class ReleaseGuardModule {}
