import type { ErrorResponse } from '../index.js';
import { type ExitCode, exitCodes } from './exit-codes.js';

/** A failure that the command reports by a message, without a stack trace. */
export class Failure extends Error {
  readonly exitCode: ExitCode = exitCodes.failed;
}

/** The command line, a setting or an input file is wrong. */
export class UsageFailure extends Failure {
  override readonly exitCode = exitCodes.usage;
}

/** An input file is wrong at a place that is read after others were done. */
export class PartlyDone extends Failure {
  override readonly exitCode = exitCodes.partial;
}

/** The service did not answer, or an answer broke off. */
export class Unreachable extends Failure {
  override readonly exitCode = exitCodes.unavailable;
}

/** The user answered a question with no. */
export class Declined extends Failure {
  override readonly exitCode = exitCodes.declined;
}

/** The user interrupted the command. */
export class Interrupted extends Failure {
  override readonly exitCode = exitCodes.interrupted;
}

type ErrorDetail = ErrorResponse['error'];

/** The service answered with an error. */
export class Refused extends Failure {
  override readonly exitCode: ExitCode;
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetail['details'];
  readonly requestId: string | null;

  constructor(response: Response, body: unknown) {
    const error = errorIn(body);
    super(error?.message ?? `The address answered ${response.status} without an error of the API; check --url.`);
    this.status = response.status;
    this.code = error?.code ?? `HTTP_${response.status}`;
    this.details = error?.details;
    this.requestId = response.headers.get('x-request-id');
    this.exitCode = [429, 502, 503, 504].includes(response.status) ? exitCodes.unavailable : exitCodes.failed;
  }
}

/** Returns the error of a body, which a proxy may have written. */
export function errorIn(body: unknown): ErrorDetail | null {
  const error = (body as Partial<ErrorResponse> | null | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string' ? error : null;
}

/** Returns the reason of a network failure, which `fetch` keeps as the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as NodeJS.ErrnoException;
  return cause.message || code || cause.name;
}
