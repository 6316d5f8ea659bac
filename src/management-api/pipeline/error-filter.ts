import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { DatabaseError } from 'pg';
import { DatabaseUnavailable, driverErrorOf, isUnavailable } from '../../platform/postgres/database-error';
import { describeForLog } from '../../platform/http/log-redaction';
import { DomainError, type ErrorCode } from '../../shared/domain-error';
import { statusOf } from '../kit/error-status';
import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';
import { MethodNotAllowed } from '../kit/http.errors';
import type { ApiRequest } from '../kit/request';

export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: unknown };
}

/** Turns whatever was thrown into the one error shape. What the caller must not see goes to the log, under the request's id. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const { status, headers, body, forTheLog } = errorAnswer(thrown, request.method);
    if (forTheLog) {
      const ids = { request_id: request.requestId, trace_id: request.traceId };
      this.log.error({ ...ids, error: describeForLog(thrown) }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.status(status).json(body);
  }
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
  const byStore = driverErrorOf(thrown) instanceof DatabaseError ? refusedByStore[method] : undefined;
  return byStore ?? { code: 'UNKNOWN_ERROR', message: 'Something went wrong on our side' };
}
