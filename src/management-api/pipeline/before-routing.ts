import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import { Tenant } from '../../platform/postgres/tenant-connection-limiter';
import { withDeadline } from '../../platform/postgres/request-context';
import { timeLimits } from '../../platform/postgres/time-limits';
import { loggable } from '../../platform/http/log-redaction';
import { clientNetworkOf } from '../../platform/http/network';
import { requestIdFrom } from '../../platform/http/request-id';
import type { Metrics } from '../../platform/observability/metrics';
import type { Tracing } from '../../platform/observability/tracing.otel';
import '../../api-kit/kit/streamed-answer';
import type { ApiRequest } from './api-request';
import type { RouteTable } from './route-table';

/** `Cache-Control` of answers that set no other one, because most have data of one account. */
export const defaultCacheControl = 'private, no-cache';

/** Gives every request of the API host an id, a deadline, a log line and a span, before it is routed. */
export function beforeRouting(log: Logger, routes: RouteTable, metrics?: Metrics, tracing?: Tracing) {
  return (request: ApiRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    request.requestId = requestIdFrom(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', request.requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', defaultCacheControl);
    const { method, path } = request;
    const matchedRoute = routes.find(path);
    const template = matchedRoute?.template;
    const route = template ?? 'unknown';
    request.supportedMethods = matchedRoute?.methods;
    // Health probes would fill the traces.
    const isProbe = template?.startsWith('/health/') ?? false;
    const span = isProbe ? undefined : tracing?.begin(request, template);
    // No client may delay a probe by using the database from the same address.
    const tenant = isProbe
      ? null
      : new Tenant(() => `address:${clientNetworkOf(request.ip, request.socket.remoteAddress)}`);
    request.traceId = span?.traceId;
    response.on('close', () => {
      if (tenant) tenant.gone = true;
      const endedAt = performance.now();
      const milliseconds = endedAt - startedAt;
      const answeredAfterMs = (request.streamedFrom ?? endedAt) - startedAt;
      const aborted = response.writableFinished ? undefined : true;
      const apiKeyId = request.caller?.apiKeyId ?? undefined;
      metrics?.request('api', method, route, response.statusCode, answeredAfterMs / 1000);
      log.info(
        {
          request_id: request.requestId,
          trace_id: request.traceId,
          method,
          route,
          path: loggable(path),
          status: response.statusCode,
          aborted,
          duration_ms: Math.round(milliseconds * 10) / 10,
          account_id: request.caller?.accountId,
          api_key_id: apiKeyId,
          user_id: request.caller?.userId,
          token_refused: request.tokenRefusal,
        },
        'request',
      );
      span?.end(response, {
        'signpost.aborted': aborted,
        'signpost.account_id': request.caller?.accountId,
        'signpost.api_key_id': apiKeyId,
      });
    });
    request.undecodable = !isDecodable(request.url);
    if (!isDecodable(path)) request.url = path.startsWith('/api/v1/') ? '/api/v1/undecodable' : '/undecodable';
    const goOn = (): void => withDeadline(timeLimits.request, next, tenant);
    if (span) span.run(goOn);
    else goOn();
  };
}

/** Returns whether the URL is percent-encoded UTF-8. Express would fail on any other path inside its router, before the guards. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    // A bundler takes a call without a use of its result away.
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}
