import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, INVALID_TRACEID, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * A request on its way. What the span says is listed here, and nothing of it is the caller's own words: neither path, query, headers
 * nor address, which may hold keys, tokens or persons.
 */
export class RequestSpan {
  constructor(
    private readonly span: Span,
    private readonly method: string,
    private readonly route: string | undefined,
  ) {}

  /** For the log. Undefined where the SDK is switched off (`OTEL_SDK_DISABLED`). */
  get traceId(): string | undefined {
    const { traceId } = this.span.spanContext();
    return traceId === INVALID_TRACEID ? undefined : traceId;
  }

  /** Statements of `work` become spans below this one. Where this one is not sampled they become none, at no cost. */
  run<T>(work: () => T): T {
    return this.span.isRecording() ? context.with(trace.setSpan(ROOT_CONTEXT, this.span), work) : work();
  }

  /**
   * Names are those of the semantic conventions (https://opentelemetry.io/docs/specs/semconv/http/http-spans/), or begin with ours.
   *
   * @param details ids and words of this service; what is undefined is left out
   */
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

/** By the semantic conventions, what is none of HTTP's own methods is `_OTHER`. */
export const methodOf = ({ method = '' }: IncomingMessage): string => (knownMethods.has(method) ? method : '_OTHER');
