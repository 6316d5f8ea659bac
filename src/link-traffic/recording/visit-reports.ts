import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LevelWithSilent, Logger } from 'pino';
import { loggable } from '../../platform/http/log-redaction';
import type { RequestSpan } from '../../platform/observability/request-span.otel';
import type { Tracing } from '../../platform/observability/tracing.otel';

/** Writes a log line and a span per visit. Allocates nothing if both are disabled. */
export class VisitReports {
  /** Undefined if the level is disabled. Evaluated once, because the log level is constant. */
  readonly #write: WriteLine | undefined;

  constructor(
    log: Logger,
    level: LevelWithSilent,
    private readonly tracing?: Tracing,
  ) {
    this.#write = log.isLevelEnabled(level) ? (line) => log[level](line, 'visit') : undefined;
  }

  begin(request: IncomingMessage, requestId: string, route: string): VisitReport | undefined {
    if (!this.#write && !this.tracing) return undefined;
    return new VisitReport(request, requestId, this.tracing?.begin(request, route), this.#write);
  }
}

type WriteLine = (line: Record<string, unknown>) => void;

/** Collects the data of one visit until its answer is sent. */
export class VisitReport {
  projectId: string | undefined;
  linkId: string | undefined;
  readonly #startedAt = performance.now();

  constructor(
    private readonly request: IncomingMessage,
    private readonly requestId: string,
    private readonly span: RequestSpan | undefined,
    private readonly write: WriteLine | undefined,
  ) {}

  get traceId(): string | undefined {
    return this.span?.traceId;
  }

  /** Runs `work` in the context of the span, so that its statements become child spans. */
  run<T>(work: () => T): T {
    return this.span ? this.span.run(work) : work();
  }

  /** Writes line and span without the query, which may contain tokens, and without the visitor's IP address. */
  end(answer: string, response: ServerResponse): void {
    const { projectId, linkId } = this;
    this.span?.end(response, {
      'signpost.answer': answer,
      'signpost.project_id': projectId,
      'signpost.link_id': linkId,
    });
    this.write?.({
      request_id: this.requestId,
      trace_id: this.traceId,
      method: this.request.method,
      path: loggable(/^[^?#]*/.exec(this.request.url ?? '')![0]),
      project_id: projectId,
      link_id: linkId,
      answer,
      status: response.statusCode,
      duration_ms: Math.round((performance.now() - this.#startedAt) * 10) / 10,
    });
  }
}
