import {
  DatabaseUnavailable,
  isPostgresError,
  isUnavailable,
  QueryTooExpensive,
} from '../../platform/postgres/database-error';
import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';
import { DomainError, type ErrorCode, statusOf } from '../../shared/domain-error';
import { contentEncodings, MethodNotAllowed, UnsupportedContentEncoding } from './http.errors';

interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: unknown };
}

interface ErrorAnswer {
  status: number;
  headers: Record<string, string | number>;
  body: ErrorBody;
  /** Whether the log gets the cause, because the body does not name it. */
  logged: boolean;
}

/** Returns the response for `thrown`, as the error filter and the claim endpoint send it. */
export function errorAnswer(thrown: unknown, method: string): ErrorAnswer {
  const known = isUnavailable(thrown) ? new DatabaseUnavailable(thrown) : thrown;
  const { code, message, details } = known instanceof DomainError ? known : unexpected(known, method);
  return {
    status: statusOf[code],
    headers: {
      ...(statusOf[code] === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(known instanceof RateLimited && { 'Retry-After': known.retryAfterSeconds }),
      ...(known instanceof MethodNotAllowed && { Allow: known.allowed.join(', ') }),
      ...(known instanceof UnsupportedContentEncoding && { 'Accept-Encoding': contentEncodings.join(', ') }),
    },
    body: { error: { code, message, ...(details !== undefined && { details }) } },
    logged:
      !(known instanceof DomainError) || known instanceof DatabaseUnavailable || known instanceof QueryTooExpensive,
  };
}

const refusedByDatabase: Record<string, { code: ErrorCode; message: string }> = {
  POST: { code: 'CREATE_FAILED', message: 'The resource could not be created' },
  PUT: { code: 'UPDATE_FAILED', message: 'The resource could not be updated' },
  DELETE: { code: 'DELETE_FAILED', message: 'The resource could not be deleted' },
};

/** Returns CREATE_FAILED and its kin if PostgreSQL refused a write, and UNKNOWN_ERROR for a fault of this program. */
function unexpected(thrown: unknown, method: string): { code: ErrorCode; message: string; details?: unknown } {
  const byDatabase = isPostgresError(thrown) ? refusedByDatabase[method] : undefined;
  return byDatabase ?? { code: 'UNKNOWN_ERROR', message: 'Something went wrong on our side' };
}
