import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { describeForLog } from '../../platform/http/log-redaction';
import { isOutOfTime, QueryTooExpensive } from '../../platform/postgres/database-error';
import { currentTenant } from '../../platform/postgres/request-context';
import { errorAnswer } from '../../api-kit/kit/error-answer';
import { BulkRefused } from '../../links/bulk/bulk.errors';
import type { ApprovalGate } from '../../tenancy/approvals/approval-gate';
import { ApprovalRequired } from '../../tenancy/approvals/approval.errors';
import { type AccessJournal, type RefusedChange, refusedOperations } from '../../tenancy/journal/access-journal';
import type {} from '../../links/projects/path-project.decorator';
import type { ApiRequest } from './api-request';

/** Renders each exception as the contract's error body. It logs the cause if the body does not name it. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Logger,
    private readonly access: AccessJournal,
    private readonly approvals: ApprovalGate,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const tenant = currentTenant();
    // Only a read, or the search of a change that was not made, has certainly changed nothing.
    const isTooExpensive = thrown instanceof QueryTooExpensive;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (thrown instanceof ApprovalRequired && request.caller)
      return void this.approvals
        .store(request.caller, thrown)
        .catch((error: unknown) => error)
        .then((answered) => this.#answer(answered, request, response));
    const refused = isRead ? null : refusedChange(thrown, request);
    if (refused)
      return void this.access
        .recordRefusal(request.caller!, request.project?.id ?? null, refused)
        .then(() => this.#answer(thrown, request, response))
        .catch(() => response.destroy());
    if (!tenant || !(isTooExpensive || (isRead && isOutOfTime(thrown)))) return this.#answer(thrown, request, response);
    tenant
      .refusalOfTimeout(isTooExpensive)
      .then((refusal) => this.#answer(refusal ?? thrown, request, response))
      .catch(() => response.destroy());
  }

  #answer(thrown: unknown, request: ApiRequest, response: Response): void {
    const { status, headers, body, logged } = errorAnswer(thrown, request.method);
    if (logged) {
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

/** Returns what the journal keeps of a change that the caller may not make; null for other errors. */
function refusedChange(thrown: unknown, { caller, operationId, method }: ApiRequest): RefusedChange | null {
  if (!caller || operationId === undefined) return null;
  if (thrown instanceof BulkRefused) return refusedOperations(operationId, thrown.details.operations);
  const { status, body } = errorAnswer(thrown, method);
  const { code, details } = body.error;
  if (status !== 403 && code !== 'AUTH_REQUIRED') return null;
  return { operation: operationId, code, ...(details !== undefined && { details }) };
}
