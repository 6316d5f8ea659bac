import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';
import { domainError } from '../../shared/domain-error';

export class IdempotencyConflict extends domainError(
  'IDEMPOTENCY_CONFLICT',
  () => 'A request with this Idempotency-Key is still running; try again shortly',
) {}

/** Answers are kept for a day, so that some have expired by then. */
const retryAfterSeconds = 3600;

/** Refuses to store more large answers of an account. */
export class TooManyStoredAnswers extends RateLimited {
  override readonly details = { reason: 'stored_answers' };

  constructor() {
    super(retryAfterSeconds, 'Too many bytes of answers are kept for the Idempotency-Keys of this account');
  }
}
