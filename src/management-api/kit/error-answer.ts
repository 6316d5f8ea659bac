import { DatabaseUnavailable, isPostgresError, isUnavailable } from '../../platform/postgres/database-error';
import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';
import { DomainError, type ErrorCode } from '../../shared/domain-error';
import { statusOf } from './error-status';
import { MethodNotAllowed } from './http.errors';

interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: unknown };
}

interface ErrorAnswer {
  status: number;
  headers: Record<string, string | number>;
  body: ErrorBody;
  /** The caller is not told what happened. */
  forTheLog: boolean;
}

/** What is answered when this was thrown. */
export function errorAnswer(thrown: unknown, method: string): ErrorAnswer {
  const known = isUnavailable(thrown) ? new DatabaseUnavailable(thrown) : thrown;
  const { code, message, details } = known instanceof DomainError ? known : unforeseen(known, method);
  return {
    status: statusOf[code],
    headers: {
      ...(statusOf[code] === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(known instanceof RateLimited && { 'Retry-After': known.retryAfterSeconds }),
      ...(known instanceof MethodNotAllowed && { Allow: known.allowed.join(', ') }),
    },
    body: { error: { code, message, ...(details !== undefined && { details }) } },
    forTheLog: !(known instanceof DomainError) || known instanceof DatabaseUnavailable,
  };
}

const refusedByStore: Record<string, { code: ErrorCode; message: string }> = {
  POST: { code: 'CREATE_FAILED', message: 'The resource could not be created' },
  PUT: { code: 'UPDATE_FAILED', message: 'The resource could not be updated' },
  DELETE: { code: 'DELETE_FAILED', message: 'The resource could not be deleted' },
};

/** A write that the store refused for no reason that we know is told apart from a fault of the program. */
function unforeseen(thrown: unknown, method: string): { code: ErrorCode; message: string; details?: unknown } {
  const byStore = isPostgresError(thrown) ? refusedByStore[method] : undefined;
  return byStore ?? { code: 'UNKNOWN_ERROR', message: 'Something went wrong on our side' };
}
