import { randomBytes } from 'node:crypto';
import type { Answer } from './ask';
import type { Program } from './process';

/** The trace context of a client (W3C Trace Context). */
export interface TraceContext {
  id: string;
  spanId: string;
  headers: { traceparent: string };
}

/**
 * Creates the context of a new trace.
 * @param sampled whether the client records the trace
 */
export function aTrace(sampled = true): TraceContext {
  const [id, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { id, spanId, headers: { traceparent: `00-${id}-${spanId}-${sampled ? '01' : '00'}` } };
}

/** Visits a link as part of a client's trace. */
export const visitWithTrace = (
  trace: TraceContext,
  program: Program,
  subdomain: string,
  path: string,
): Promise<Answer> => program.ask(path, { headers: { Host: `${subdomain}.localhost`, ...trace.headers } });
