import { DatabaseError } from 'pg';
import { DomainError, type ErrorCode } from '../../shared/domain-error';
import { DatabaseUnavailable, driverErrorOf, isUnavailable } from '../postgres/database-error';
import { ConcurrencyLimited } from '../rate-limit/rate-limit.errors';

/** The kinds of errors that callers tell apart. A message between threads keeps no class of an error. */
export type SentError =
  | { kind: 'concurrency' }
  | { kind: 'database'; message: string; code: string | undefined; constraint: string | undefined }
  | { kind: 'unavailable'; message: string }
  | { kind: 'domain'; name: string; code: ErrorCode; message: string; details: unknown }
  | { kind: 'other'; message: string; stack: string | undefined };

export function toSentError(error: unknown): SentError {
  if (error instanceof ConcurrencyLimited) return { kind: 'concurrency' };
  const cause = driverErrorOf(error);
  if (cause instanceof DatabaseError) {
    const { message, code, constraint } = cause;
    return { kind: 'database', message, code, constraint };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (isUnavailable(error)) return { kind: 'unavailable', message };
  if (!(error instanceof DomainError)) return { kind: 'other', message, stack };
  const { name, code, details } = error;
  return { kind: 'domain', name, code, message, details };
}

export function fromSentError(sent: SentError): Error {
  switch (sent.kind) {
    case 'concurrency':
      return new ConcurrencyLimited();
    case 'database': {
      const { message, code, constraint } = sent;
      return Object.assign(new DatabaseError(message, message.length, 'error'), { code, constraint });
    }
    case 'unavailable':
      return new DatabaseUnavailable(new Error(sent.message));
    case 'domain':
      return new ErrorOfThread(sent);
    case 'other':
      return Object.assign(new Error(sent.message), sent.stack !== undefined && { stack: sent.stack });
  }
}

/** A domain error as another thread has thrown it. */
class ErrorOfThread extends DomainError {
  readonly code: ErrorCode;
  override readonly details: unknown;
  readonly #name: string;

  constructor({ name, code, message, details }: Extract<SentError, { kind: 'domain' }>) {
    super(message);
    this.#name = name;
    this.code = code;
    this.details = details;
  }

  override get name(): string {
    return this.#name;
  }
}
