import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyService } from './idempotency.service';
import { IdempotentAnswerRepository } from './idempotent-answer.repository';
import { PgIdempotentAnswerRepository } from './pg-idempotent-answer.repository';

/** Provides what controllers with `@Idempotent` operations need. */
@Module({
  imports: [DatabaseModule],
  providers: [IdempotencyService, { provide: IdempotentAnswerRepository, useClass: PgIdempotentAnswerRepository }],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
