import { setTimeout as delay } from 'node:timers/promises';
import { errorIn, Failure, Interrupted, reasonOf, Refused, Unreachable } from './failures.js';
import type { Io } from './io.js';

export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export interface SendOptions {
  /** Whether the request may be sent again if it may have run, because a repetition changes nothing. */
  isRepeatable?: boolean;
  /** For 429 and 503 too, if the body cannot be read again. */
  isRetried?: boolean;
}

const maxAttempts = 6;
const maxWaitSeconds = 120;
const busy = new Set([429, 502, 503, 504]);
/** Answers before the service has begun. A gateway that gives up (502, 504) may have passed the request on. */
const notBegun = new Set([429, 503]);

/**
 * Sends a request, and again if the service is busy: after the seconds that the answer names, or after 1, 2, 4 … seconds.
 * @throws Refused, Unreachable, Interrupted, and the failures of `request`
 */
export async function send<Data>(
  io: Pick<Io, 'signal' | 'stderr'>,
  request: () => Promise<Answer<Data>>,
  { isRepeatable = true, isRetried = true }: SendOptions = {},
): Promise<Data> {
  for (let attempt = 1; ; attempt++) {
    const result = await request().catch((error: unknown) => {
      if (io.signal.aborted) throw new Interrupted('The command was interrupted.');
      // A file that cannot be read, for example.
      if (error instanceof Failure) throw error;
      if ((error as Partial<Error> | null)?.name === 'SyntaxError')
        throw new Failure('The address answered without the JSON of the API; check --url.');
      if (isRepeatable && isRetried && attempt < maxAttempts) return null;
      throw new Unreachable(`The service cannot be reached: ${reasonOf(error)}`);
    });
    if (result?.response.ok) {
      const broken = result.response.headers.get('broken-app-versions');
      if (broken !== null) io.stderr.write(`Warning: the change breaks released versions of apps: ${broken}\n`);
      return result.data as Data;
    }
    const waitSeconds = retryAfter(result, attempt);
    if (result) {
      const isWorthIt = isRetried && isBusy(result, isRepeatable) && attempt < maxAttempts;
      if (!isWorthIt || waitSeconds > maxWaitSeconds) throw new Refused(result.response, result.error);
    }
    await pause(io, waitSeconds);
  }
}

/** Returns whether the same request may succeed later. A broken one may still run under its Idempotency-Key. */
function isBusy({ response, error }: Answer<unknown>, isRepeatable: boolean): boolean {
  const details = errorIn(error)?.details;
  const isTooExpensive = details !== undefined && 'reason' in details && details.reason === 'too_expensive';
  // A repetition takes as long, and loads the database again.
  if (isTooExpensive && secondsIn(error) === undefined) return false;
  return (isRepeatable ? busy : notBegun).has(response.status) || errorIn(error)?.code === 'IDEMPOTENCY_CONFLICT';
}

/**
 * Returns the seconds of `Retry-After`, which may be a date, or those of the details, or those of an exponential back-off. The
 * header is on 429 only; a 503 has its seconds in the details.
 */
export function retryAfter(answer: Answer<unknown> | null, attempt: number, now = Date.now()): number {
  const header = answer?.response.headers.get('retry-after') ?? null;
  if (header !== null && /^\d+$/.test(header)) return Number(header);
  const date = header === null ? NaN : Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000));
  return secondsIn(answer?.error) ?? 2 ** (attempt - 1);
}

function secondsIn(error: unknown): number | undefined {
  const details = errorIn(error)?.details;
  const seconds = details !== undefined && 'retry_after_seconds' in details ? details.retry_after_seconds : undefined;
  return typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
}

async function pause({ signal, stderr }: Pick<Io, 'signal' | 'stderr'>, seconds: number): Promise<void> {
  if (seconds >= 5) stderr.write(`The service is busy; the next attempt is in ${seconds} s.\n`);
  try {
    await delay(seconds * 1000, undefined, { signal });
  } catch {
    throw new Interrupted('The command was interrupted.');
  }
}
