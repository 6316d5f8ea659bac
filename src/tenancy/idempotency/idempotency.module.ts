import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { UnitOfWork } from '../../shared/unit-of-work';
import { IdempotencyService } from './idempotency.service';
import { IdempotentAnswerRepository } from './idempotent-answer.repository';
import { PgIdempotentAnswerRepository } from './pg-idempotent-answer.repository';
import { provide } from '../../shared/provide';

/** Provides what controllers with `@Idempotent` operations need. */
@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: IdempotentAnswerRepository, useClass: PgIdempotentAnswerRepository },
    provide(
      IdempotencyService,
      [IdempotentAnswerRepository, UnitOfWork, Log, BackgroundJobs],
      (answers, unitOfWork, log, jobs) =>
        new IdempotencyService(
          answers,
          unitOfWork,
          (error) => log.warn(`old answers are purged later: ${(error as Error).message}`),
          jobs,
        ),
    ),
  ],
  exports: [IdempotencyService],
})
export class IdempotencyModule implements BeforeApplicationShutdown {
  constructor(private readonly idempotency: IdempotencyService) {}

  beforeApplicationShutdown(): void {
    this.idempotency.stop();
  }
}
