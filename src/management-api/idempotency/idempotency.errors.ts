import { DomainError } from '../../shared/domain-error';

export class IdempotencyConflict extends DomainError {
  readonly code = 'IDEMPOTENCY_CONFLICT';

  constructor() {
    super('A request with this Idempotency-Key is still running; try again shortly');
  }
}
