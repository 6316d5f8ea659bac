import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VisitReport } from './recording/visit-reports';

/** A request to a link host, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Undefined if neither a log line nor a span is written. */
  readonly report: VisitReport | undefined;
}
