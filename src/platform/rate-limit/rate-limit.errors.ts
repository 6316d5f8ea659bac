import { DomainError } from '../../shared/domain-error';

export class RateLimited extends DomainError {
  readonly code = 'RATE_LIMITED';

  constructor(
    readonly retryAfterSeconds: number,
    excess = 'Too many requests',
  ) {
    super(`${excess}; try again in ${retryAfterSeconds} s`);
  }
}

/** Refuses a request of an account that has its share of the database connections in use. */
export class ConcurrencyLimited extends RateLimited {
  override readonly details = { reason: 'concurrency' };

  constructor() {
    super(1, 'Too many requests of this account are running at the same time');
  }
}
