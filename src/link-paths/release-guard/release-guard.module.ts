import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { provideClass } from '../../shared/provide';
import { UnitOfWork } from '../../shared/unit-of-work';
import { PgGuardedProject } from './pg-guarded-project';
import { ReleaseGuard } from './release-guard';

@Module({
  imports: [DatabaseModule],
  providers: [provideClass(ReleaseGuard, [PgGuardedProject, UnitOfWork]), PgGuardedProject],
  exports: [ReleaseGuard, PgGuardedProject],
})
export class ReleaseGuardModule {}
