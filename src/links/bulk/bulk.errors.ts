import { DomainError, domainError, type ErrorCode } from '../../shared/domain-error';

/** Reports the operations because of which none of an atomic request was run. Details: their places and errors. */
export class BulkRefused extends DomainError {
  readonly code = 'BULK_REFUSED';
  override readonly details: { operations: { index: number; code: ErrorCode; message: string; details?: unknown }[] };

  constructor(results: readonly (object | { error: DomainError })[]) {
    const operations = results.flatMap((result, index) => {
      if (!('error' in result)) return [];
      const { code, message, details } = result.error;
      return [{ index, code, message, ...(details !== undefined && { details }) }];
    });
    const failed = operations.length === 1 ? '1 operation' : `${operations.length} operations`;
    super(`${failed} of ${results.length} cannot be run, so none was; correct them or send atomic: false`);
    this.details = { operations };
  }
}

/** Reports that a filter finds another number of links than the caller has confirmed. Details: both numbers. */
export class CountMismatch extends domainError(
  'COUNT_MISMATCH',
  (expected: number, actual: number) => {
    const matches = actual === 1 ? '1 link' : `${actual} links`;
    const expectation = expected === 1 ? '1 was' : `${expected} were`;
    return `The filter matches ${matches} but ${expectation} expected. Nothing changed. Review them and send expected_count: ${actual}.`;
  },
  (expected, actual) => ({ expected_count: expected, actual_count: actual }),
) {}

/** Reports that a link was changed after the time that an update names. */
export class LinkChanged extends domainError(
  'PRECONDITION_FAILED',
  () => 'The link has another updated_at; read it again and send its new one',
) {}
