import { DomainError } from '../../shared/domain-error';
import type { ImportState } from './import-state';

/** Refuses an operation that the import's state does not allow. Details: the state. */
export class ImportNotInState extends DomainError {
  readonly code = 'IMPORT_STATE';

  private constructor(
    message: string,
    override readonly details: { state: ImportState },
  ) {
    super(message);
  }

  static unless(allowed: readonly ImportState[], state: ImportState): ImportNotInState {
    return new ImportNotInState(`The import is ${state}; the operation needs ${allowed.join(' or ')}`, { state });
  }

  /** Refuses to run an import whose dry run found conflicts that its policy forbids. */
  static withConflicts(conflicts: number): ImportNotInState {
    const message = `The import has ${conflicts} conflicts, which its policy forbids; choose another policy`;
    return new ImportNotInState(message, { state: 'ready' });
  }
}

export class ImportFileTooLarge extends DomainError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(limit: string) {
    super(`The file must not have more than ${limit}; divide it into several imports`);
  }
}
