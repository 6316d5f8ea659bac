import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import { withDeadline } from '../database/deadline';
import type { Metrics } from '../metrics/metrics';
import type { ApiRequest } from './request';
import type { RouteTable } from './route-table';

/**
 * Milliseconds a request may spend on its queries. With one wait for a connection (`connectTimeout`) on top it is answered
 * within the 5 s that DECISIONS gives a database that is too slow.
 */
const queriesDeadline = 3300;

/** Paths that can be logged as they are: nothing hides in percent-encoding from the redaction of keys. */
const plain = /^[A-Za-z0-9/_.~-]{0,300}$/;

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own id where it is harmless to write back and to log, else a new one. */
export function requestIdFrom(given: string | string[] | undefined): string {
  return typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
}

/** What happens to every request of the API host before it is routed: it gets an id, a deadline and its line in the log. */
export function beforeRouting(log: Logger, routes: RouteTable, metrics?: Metrics) {
  return (request: ApiRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    request.requestId = requestIdFrom(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', request.requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const { method, path } = request;
    response.on('close', () => {
      const route = routes.templateOf(path) ?? 'unknown';
      const milliseconds = performance.now() - startedAt;
      metrics?.request('api', method, route, response.statusCode, milliseconds / 1000);
      log.info(
        {
          request_id: request.requestId,
          method,
          route,
          path: plain.test(path) ? path : undefined,
          status: response.statusCode,
          aborted: response.writableFinished ? undefined : true,
          duration_ms: Math.round(milliseconds * 10) / 10,
          account_id: request.caller?.accountId,
          api_key_id: request.caller?.apiKeyId ?? undefined,
          user_id: request.caller?.userId,
          token_refused: request.tokenRefused,
        },
        'request',
      );
    });
    request.undecodable = !isDecodable(request.url);
    // `OPTIONS *` has no path, and names no route.
    if (!path.startsWith('/')) request.url = '/';
    if (!isDecodable(path)) request.url = '/api/v1/undecodable';
    withDeadline(queriesDeadline, next);
  };
}

/** Whether it is percent-encoded UTF-8. With a path that is not, Express would fail inside its router, before our checks. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
