import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LevelWithSilent, Logger } from 'pino';
import { loggable } from '../platform/http/log-redaction';
import type { RequestSpan } from '../platform/observability/request-span.otel';
import type { Tracing } from '../platform/observability/tracing.otel';

/** Tells of single visits: a line in the log, and a span. Where neither is wanted nothing is made for a visit. */
export class VisitReports {
  /** Undefined where the level is none of those that are written. Levels do not change: no visit asks again. */
  readonly #write: WriteLine | undefined;

  /** @param level of the visits' lines */
  constructor(
    log: Logger,
    level: LevelWithSilent,
    private readonly tracing?: Tracing,
  ) {
    this.#write = log.isLevelEnabled(level) ? (line) => log[level](line, 'visit') : undefined;
  }

  /** @param route what metrics and spans call all visits */
  begin(request: IncomingMessage, requestId: string, route: string): VisitReport | undefined {
    if (!this.#write && !this.tracing) return undefined;
    return new VisitReport(request, requestId, this.tracing?.begin(request, route), this.#write);
  }
}

type WriteLine = (line: Record<string, unknown>) => void;

/** What is learnt of one visit on the way to its answer. */
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

  /** What `work` asks the database belongs to this visit. */
  run<T>(work: () => T): T {
    return this.span ? this.span.run(work) : work();
  }

  /** Neither the query, which may have tokens in it, nor the visitor's address is told. */
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
