import { DomainError, type ErrorCode } from '../../shared/domain-error';

/** Reports that the former state is not possible any more. */
export class CannotRestore extends DomainError {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}
