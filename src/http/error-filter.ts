import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { DatabaseError } from 'pg';
import { DatabaseUnavailable, driverErrorOf, isUnavailable } from '../database/database-error';
import { DomainError, type ErrorCode } from '../shared/domain-error';
import { statusOf } from './error-status';
import { MethodNotAllowed, RateLimited } from './http.errors';
import type { ApiRequest } from './request';

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
    const known = isUnavailable(thrown) ? new DatabaseUnavailable(thrown) : thrown;
    if (!(known instanceof DomainError) || known instanceof DatabaseUnavailable)
      this.log.error({ request_id: request.requestId, error: describeForLog(thrown) }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { code, message, details } = known instanceof DomainError ? known : unforeseen(known, request.method);
    if (statusOf[code] === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (known instanceof RateLimited) response.setHeader('Retry-After', known.retryAfterSeconds);
    if (known instanceof MethodNotAllowed) response.setHeader('Allow', known.allowed.join(', '));
    const body: ErrorBody = { error: { code, message, ...(details !== undefined && { details }) } };
    response.status(statusOf[code]).json(body);
  }
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

/** Neither the statement's parameters nor PostgreSQL's `detail`, which quotes them, are logged: they are the customer's data. */
export function describeForLog(thrown: unknown): Record<string, unknown> {
  const error = driverErrorOf(thrown);
  if (!(error instanceof Error)) return { message: typeof thrown };
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  return { type: error.name, message: error.message, code, constraint, table, stack: error.stack };
}
