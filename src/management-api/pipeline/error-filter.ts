import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { describeForLog } from '../../platform/http/log-redaction';
import { errorAnswer } from '../kit/error-answer';
import type { ApiRequest } from './api-request';

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
