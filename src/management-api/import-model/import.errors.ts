import { DomainError } from '../../shared/domain-error';
import type { ImportState } from './import-state';

/** Refuses an operation that the import's state does not allow. Details: the state. */
export class ImportNotInState extends DomainError {
  readonly code = 'IMPORT_STATE';
  override readonly details: { state: ImportState };

  constructor(what: string, state: ImportState, allowed: readonly ImportState[]) {
    super(`${what} is ${state}; the operation needs ${allowed.join(' or ')}`);
    this.details = { state };
  }
}

/** Refuses to run an import whose dry run found conflicts, if its policy forbids them. Details: the state. */
export class ImportHasConflicts extends DomainError {
  readonly code = 'IMPORT_STATE';
  override readonly details: { state: ImportState };

  constructor(conflicts: number, state: ImportState) {
    super(`The import has ${conflicts} conflicts, which its policy forbids; choose another policy`);
    this.details = { state };
  }
}

export class ImportFileTooLarge extends DomainError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(limit: string) {
    super(`The file must not have more than ${limit}; divide it into several imports`);
  }
}
