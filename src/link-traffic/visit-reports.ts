import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LevelWithSilent, Logger } from 'pino';
import { loggable } from '../http/before-routing';
import type { RequestSpan } from '../tracing/request-span';
import type { Tracing } from '../tracing/tracing';

/** Tells of single visits: a line in the log, and a span. Where neither is wanted nothing is made for a visit. */
export class VisitReports {
  readonly #logged: boolean;

  /** @param level of the visits' lines */
  constructor(
    private readonly log: Logger,
    private readonly level: LevelWithSilent,
    private readonly tracing?: Tracing,
  ) {
    // Levels are settings, which do not change: a visit does not ask again.
    this.#logged = log.isLevelEnabled(level);
  }

  /** @param route what metrics and spans call all visits */
  begin(request: IncomingMessage, requestId: string, route: string): VisitReport | undefined {
    if (!this.#logged && !this.tracing) return undefined;
    return new VisitReport(request, requestId, this.tracing?.begin(request, route), (line) => {
      if (this.#logged) this.log[this.level](line, 'visit');
    });
  }
}

/** What is learnt of one visit on the way to its answer. */
export class VisitReport {
  projectId: string | undefined;
  linkId: string | undefined;
  readonly #startedAt = performance.now();

  constructor(
    private readonly request: IncomingMessage,
    private readonly requestId: string,
    private readonly span: RequestSpan | undefined,
    private readonly write: (line: Record<string, unknown>) => void,
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
    this.write({
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
