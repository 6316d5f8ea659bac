import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, INVALID_TRACEID, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * A span of one request (https://opentelemetry.io/docs/specs/semconv/http/http-spans/). It omits path, query, headers and
 * address, because they may contain keys, tokens or personal data.
 */
export class RequestSpan {
  constructor(
    private readonly span: Span,
    private readonly method: string,
    private readonly route: string | undefined,
  ) {}

  /** Undefined if the SDK is disabled (`OTEL_SDK_DISABLED`). */
  get traceId(): string | undefined {
    const { traceId } = this.span.spanContext();
    return traceId === INVALID_TRACEID ? undefined : traceId;
  }

  /** Runs `work` with this span as the parent of its statements. An unsampled span adds no cost. */
  run<T>(work: () => T): T {
    return this.span.isRecording() ? context.with(trace.setSpan(ROOT_CONTEXT, this.span), work) : work();
  }

  /** @param details ids and enumerated values, never text of the caller; undefined values are omitted */
  end(response: ServerResponse, details: Record<`signpost.${string}`, string | boolean | undefined>): void {
    if (this.span.isRecording()) {
      const { statusCode } = response;
      const failed = response.headersSent && statusCode >= 500;
      this.span.setAttributes({
        'http.request.method': this.method,
        'http.route': this.route,
        'http.response.status_code': response.headersSent ? statusCode : undefined,
        'url.scheme': 'http',
        'error.type': failed ? String(statusCode) : undefined,
        ...details,
      });
      if (failed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

export const methodOf = ({ method = '' }: IncomingMessage): string => (knownMethods.has(method) ? method : '_OTHER');
