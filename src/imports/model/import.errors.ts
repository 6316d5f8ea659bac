import { DomainError, domainError } from '../../shared/domain-error';
import type { ImportState } from './import-state';

export class ImportNotInState extends DomainError {
  readonly code = 'IMPORT_STATE';
  override readonly details: { state: ImportState };

  constructor(message: string, state: ImportState) {
    super(message);
    this.details = { state };
  }
}

export class ImportFileTooLarge extends domainError(
  'PAYLOAD_TOO_LARGE',
  () => 'The file must not have more than 200 MB; divide it into several imports',
) {}
