import { randomBytes } from 'node:crypto';
import type { Answer, Program } from './process';

/** What a caller that traces its own requests sends along (W3C Trace Context), and the ids in it. */
export interface CallersTrace {
  id: string;
  spanId: string;
  headers: { traceparent: string };
}

/** @param sampled whether the caller keeps the trace */
export function aTrace(sampled = true): CallersTrace {
  const [id, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { id, spanId, headers: { traceparent: `00-${id}-${spanId}-${sampled ? '01' : '00'}` } };
}

/** A visit as part of a caller's trace. */
export const visitIn = (trace: CallersTrace, program: Program, subdomain: string, path: string): Promise<Answer> =>
  program.ask(path, { headers: { Host: `${subdomain}.localhost`, ...trace.headers } });
