import { DomainError } from '../../shared/domain-error';

export class RateLimited extends DomainError {
  readonly code = 'RATE_LIMITED';

  constructor(readonly retryAfterSeconds: number) {
    super(`Too many requests; try again in ${retryAfterSeconds} s`);
  }
}
