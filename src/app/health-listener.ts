import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { HealthService, Report } from '../management-api/health/health.service';
import { errorAnswer } from '../api-kit/kit/error-answer';
import { MethodNotAllowed } from '../api-kit/kit/http.errors';
import { describeForLog } from '../platform/http/log-redaction';
import { requestIdFrom } from '../platform/http/request-id';
import type { Log } from '../platform/observability/log';
import type { Metrics } from '../platform/observability/metrics';
import { versionOfThis } from '../shared/package-root';
import { NotFound } from '../shared/domain-error';

interface Answer {
  status: number;
  headers: Record<string, string | number>;
  body: unknown;
}

/** Returns the listener that answers probes, without the guards of the management API. */
export function healthListener(health: HealthService, { logger }: Log, metrics: Metrics | null): RequestListener {
  const version = versionOfThis();
  const reported = async (report: Promise<Report>): Promise<Answer> => {
    const data = await report;
    const isGood = data.status === 'ready' || data.status === 'started';
    return { status: isGood ? 200 : 503, headers: {}, body: { data } };
  };
  const probes: Record<string, () => Answer | Promise<Answer>> = {
    '/health/live': () => ({ status: 200, headers: {}, body: { data: { status: 'live', version } } }),
    '/health/startup': () => reported(health.startup()),
    '/health/ready': () => reported(health.ready()),
    '/health/ready/traffic': () => reported(health.readyForTraffic()),
  };
  const answerOf = async (route: string, method: string): Promise<Answer> => {
    const probe = Object.hasOwn(probes, route) ? probes[route] : undefined;
    if (!probe) throw new NotFound('Route');
    if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowed(['GET', 'HEAD']);
    return probe();
  };
  return (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const { method = '', url = '' } = request;
    const path = url.split('?', 1)[0]!;
    response.on('close', () => {
      const milliseconds = performance.now() - startedAt;
      const route = Object.hasOwn(probes, path) ? path : 'unknown';
      metrics?.request('api', method, route, response.statusCode, milliseconds / 1000);
      const line = { request_id: requestId, method, route, status: response.statusCode };
      logger.info({ ...line, duration_ms: Math.round(milliseconds * 10) / 10 }, 'request');
    });
    answerOf(path, method)
      .catch((error: unknown): Answer => {
        const answer = errorAnswer(error, method);
        if (answer.logged) logger.error({ request_id: requestId, error: describeForLog(error) }, 'request failed');
        return answer;
      })
      .then((answer) => send(request, response, requestId, answer))
      .catch(() => response.destroy());
  };
}

function send(request: IncomingMessage, response: ServerResponse, requestId: string, answer: Answer): void {
  const json = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
    ...answer.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : json);
}
