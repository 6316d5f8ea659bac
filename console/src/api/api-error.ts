import type { ErrorCode, ErrorResponse, Problem } from 'signpost-client';

/** Failures of a request that reach no operation of the API. */
type LocalCode = 'OFFLINE' | 'NO_TOKEN' | 'UNREADABLE';

/** Reports a failed request, with all that pages need to explain it. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode | LocalCode,
    message: string,
    /** 0 if no answer arrived. */
    readonly status: number,
    readonly details: Details = undefined,
    /** Milliseconds until the service accepts requests again; undefined if it did not say. */
    readonly retryAfterMs: number | undefined = undefined,
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /**
   * Whether the same request can succeed later. A list that is too expensive takes as long again, unless the answer says when. After a
   * gateway gave up (504), the repetition of a creation meets its first attempt, which still runs under the same key.
   */
  get isTemporary(): boolean {
    const isBusy = this.#isUnanswered || this.code === 'IDEMPOTENCY_CONFLICT' || this.status === 429;
    return isBusy || (this.isUnavailable && !this.isTooExpensive);
  }

  /** Whether the service will refuse the same request again. A server that fails can recover, and a proxy does not speak for it. */
  get isPermanent(): boolean {
    return this.#isOfService && !this.isTemporary && this.status < 500;
  }

  /** Whether the service says that something does not exist. A proxy that answers 404 cannot know that. */
  get isMissing(): boolean {
    return this.#isOfService && this.status === 404;
  }

  /** Whether the service, or a proxy before it, says that it cannot answer now. */
  get isUnavailable(): boolean {
    return unavailable.has(this.status);
  }

  get #isOfService(): boolean {
    return !this.#isUnanswered && this.code !== 'UNREADABLE';
  }

  /** Whether the service, or the identity provider before it, did not answer. */
  get #isUnanswered(): boolean {
    return this.code === 'OFFLINE' || this.code === 'NO_TOKEN';
  }

  /** Whether the database works, and only this list cannot be read in time. */
  get isTooExpensive(): boolean {
    return reasonIn(this.details) === 'too_expensive' && this.retryAfterMs === undefined;
  }

  get problems(): Problem[] {
    return Array.isArray(this.details) ? this.details : [];
  }
}

type Details = ErrorResponse['error']['details'];

/** Proxies answer 502 and 504 while the service restarts or is slow. */
const unavailable = new Set([502, 503, 504]);

const reasonIn = (details: Details): string | null =>
  details !== undefined && 'reason' in details ? details.reason : null;

const retryAfterIn = (details: Details): number | undefined =>
  details !== undefined && 'retry_after_seconds' in details ? details.retry_after_seconds : undefined;

const isErrorResponse = (value: unknown): value is ErrorResponse =>
  typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'object';

export function errorOf(response: Response, body: unknown): ApiError {
  const requestId = response.headers.get('X-Request-Id');
  const details = isErrorResponse(body) ? body.error.details : undefined;
  const seconds = Number(response.headers.get('Retry-After') ?? retryAfterIn(details) ?? NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  if (!isErrorResponse(body))
    return new ApiError('UNREADABLE', `HTTP ${response.status}`, response.status, undefined, retryAfterMs, requestId);
  const { code, message } = body.error;
  return new ApiError(code, message, response.status, details, retryAfterMs, requestId);
}
