import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { DomainError } from '../../shared/domain-error';

/** The database cannot be reached, is overloaded, read-only or too slow. The caller may try again. */
export class DatabaseUnavailable extends DomainError {
  readonly code = 'DATABASE_ERROR';

  constructor(override readonly cause: unknown) {
    super('The database is not available at the moment; try again shortly');
  }
}

/** The query outlived the request it belongs to, and was not sent. */
export class DeadlineExceeded extends Error {}

/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A) that speak of the server's state and not of the statement:
 * connection exceptions, insufficient resources, operator intervention, read-only (a former primary), timeouts of locks and
 * statements, and the two that ask for a retry.
 */
const unavailableStates = /^(?:08|53|57P0|25006$|57014$|55P03$|40001$|40P01$|58)/;

/** Refused before a session began: wrong credentials or no such database. Unavailable for requests, final at start. */
const refusedStates = /^(?:28|3D)/;

const unavailableErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  // What a Unix socket says when its queue is full, as behind a frozen server.
  'EAGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** What pg and its pool say in plain words; they give these errors no code. */
const unavailableMessages =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end)/i;

export const driverErrorOf = (error: unknown): unknown =>
  error instanceof QueryFailedError ? error.driverError : error;

/** Whether the error says that the database cannot serve now, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  const cause = driverErrorOf(error);
  if (cause instanceof DeadlineExceeded || cause instanceof DatabaseUnavailable) return true;
  // What TypeORM says to the next statement of a transaction whose connection broke in between.
  if (cause instanceof QueryRunnerAlreadyReleasedError || cause instanceof QueryRunnerProviderAlreadyReleasedError)
    return true;
  if (cause instanceof DatabaseError) {
    const state = cause.code ?? '';
    return unavailableStates.test(state) || refusedStates.test(state);
  }
  if (cause instanceof AggregateError) return cause.errors.some(isUnavailable);
  if (!(cause instanceof Error)) return false;
  return unavailableErrnos.has((cause as NodeJS.ErrnoException).code ?? '') || unavailableMessages.test(cause.message);
}

/** Whether PostgreSQL itself answered a statement with this error. */
export const isPostgresError = (error: unknown): boolean => driverErrorOf(error) instanceof DatabaseError;

/** SQLSTATE `read_only_sql_transaction`: the server, or this session with it, takes no writes. */
export const isReadOnly = (error: unknown): boolean => error instanceof DatabaseError && error.code === '25006';

/** SQLSTATE `undefined_table`: a migration has not run yet. */
export const isUndefinedTable = (error: unknown): boolean => error instanceof DatabaseError && error.code === '42P01';

/** SQLSTATE `too_many_connections`: of the server, the database or the role. */
export const isOutOfConnections = (error: unknown): boolean => error instanceof DatabaseError && error.code === '53300';

/** Waiting will not help: the credentials or the database's name are wrong. */
export const isRefused = (error: unknown): boolean => {
  const cause = driverErrorOf(error);
  return cause instanceof DatabaseError && refusedStates.test(cause.code ?? '');
};

/**
 * Whether a connection that gave this error should serve no further query: the server behind it is gone, going, frozen or
 * no longer the primary. A statement that only ran too long leaves its connection sound.
 */
export function spoilsConnection(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(?:08|57P0|25006$)/.test(error.code ?? '');
  return isUnavailable(error) && !(error instanceof DeadlineExceeded);
}

/** The constraint that a statement broke, by the name that `migrations/` gave it. */
export function brokenConstraint(error: unknown): string | null {
  const cause = driverErrorOf(error);
  return cause instanceof DatabaseError && cause.code?.startsWith('23') ? (cause.constraint ?? null) : null;
}

/** Runs a write, and turns the violation of a named constraint into the refusal that it stands for. */
export async function mapConstraintErrors<T>(
  errorsByConstraint: Record<string, () => Error>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const constraint = brokenConstraint(error);
    const refusal = constraint === null ? undefined : errorsByConstraint[constraint];
    throw refusal ? refusal() : error;
  }
}
