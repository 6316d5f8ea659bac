import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';
import { DomainError } from '../../shared/domain-error';
import type { ImportState } from './import-state';

/** Refuses an operation that the import's state does not allow. Details: the state. */
export class ImportNotInState extends DomainError {
  readonly code = 'IMPORT_STATE';
  override readonly details: { state: ImportState };

  constructor(what: string, state: ImportState, allowed: readonly ImportState[]) {
    const remedy = allowed.length > 0 ? `; the operation needs ${allowed.join(' or ')}` : '; choose another policy';
    super(`${what} is ${state}${remedy}`);
    this.details = { state };
  }
}

export class ImportFileTooLarge extends DomainError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(limit: string) {
    super(`The file must not have more than ${limit}; divide it into several imports`);
  }
}

/** Refuses to read another list. Details: `{ reason }`. */
export class TooManyFetches extends RateLimited {
  override readonly details = { reason: 'concurrency' };

  constructor() {
    super(30, 'Too many lists of other systems are being read');
  }
}
