import { DatabaseError } from 'pg';
import { DomainError } from '../../shared/domain-error';

/** Signals that the database is unreachable, overloaded, read-only or too slow. The caller may retry. */
export class DatabaseUnavailable extends DomainError {
  readonly code = 'DATABASE_ERROR';

  constructor(override readonly cause: unknown) {
    super('The database is not available at the moment; try again shortly');
  }
}

/** Signals that PostgreSQL works, but needs longer than its time limit for this query. */
export class QueryTooExpensive extends DomainError {
  readonly code = 'DATABASE_ERROR';
  override readonly details = { reason: 'too_expensive' };

  constructor(override readonly cause: unknown) {
    super(
      'This takes too long to read; search for a longer text, remove filters or groups, or ask for an earlier page or a shorter period',
    );
  }
}

export class DeadlineExceeded extends Error {}

/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A) that describe the server, not the statement. They are connection
 * exceptions, insufficient resources, operator intervention, read-only, timeouts, serialization failure and deadlock.
 */
const unavailableStates = /^(?:08|53|57P0|25006$|57014$|55P03$|40001$|40P01$|58)/;

const refusedStates = /^(?:28|3D)/;

const unavailableErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EAGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

const unavailableMessages =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end)/i;

/** Names of TypeORM's errors for a lost connection. Names are compared, because link traffic does not load TypeORM. */
const lostConnections = new Set(['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError']);

/** Returns pg's error of a statement that TypeORM has run. */
export const driverErrorOf = (error: unknown): unknown =>
  error instanceof Error && error.name === 'QueryFailedError' && 'driverError' in error ? error.driverError : error;

export function isUnavailable(error: unknown): boolean {
  const cause = driverErrorOf(error);
  if (cause instanceof DeadlineExceeded || cause instanceof DatabaseUnavailable) return true;
  if (cause instanceof Error && lostConnections.has(cause.name)) return true;
  if (cause instanceof DatabaseError) {
    const state = cause.code ?? '';
    return unavailableStates.test(state) || refusedStates.test(state);
  }
  if (cause instanceof AggregateError) return cause.errors.some(isUnavailable);
  if (!(cause instanceof Error)) return false;
  return unavailableErrnos.has((cause as NodeJS.ErrnoException).code ?? '') || unavailableMessages.test(cause.message);
}

export const isPostgresError = (error: unknown): boolean => driverErrorOf(error) instanceof DatabaseError;

function hasState(error: unknown, state: string): boolean {
  const cause = driverErrorOf(error);
  return cause instanceof DatabaseError && cause.code === state;
}

export const isReadOnly = (error: unknown): boolean => hasState(error, '25006'); // read_only_sql_transaction

export const isUndefinedTable = (error: unknown): boolean => hasState(error, '42P01'); // undefined_table

/** Returns whether the time limit ended a statement (SQLSTATE query_canceled). The server works. */
export const isStatementTimeout = (error: unknown): boolean => hasState(error, '57014');

/** Returns whether the client gave up. Either the server does not answer, or the statement takes too long. */
export const isClientTimeout = (error: unknown): boolean => {
  const cause = driverErrorOf(error);
  return cause instanceof DeadlineExceeded || (cause instanceof Error && /^Query read timeout/i.test(cause.message));
};

/** Returns whether a time limit ended the work, in PostgreSQL or ClickHouse, or the wait for a connection. */
export const isOutOfTime = (error: unknown): boolean => {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return (
    isStatementTimeout(cause) ||
    isClientTimeout(cause) ||
    (cause instanceof Error && /^timeout exceeded when trying to connect/i.test(cause.message))
  );
};

/** Returns whether the wait for a lock exceeded its time limit (SQLSTATE lock_not_available). */
export const isLockTimeout = (error: unknown): boolean => hasState(error, '55P03');

export const isOutOfConnections = (error: unknown): boolean => hasState(error, '53300'); // too_many_connections

/** Returns whether the credentials or the database's name are wrong, so that a retry fails too. */
export const isRefused = (error: unknown): boolean => {
  const cause = driverErrorOf(error);
  return cause instanceof DatabaseError && refusedStates.test(cause.code ?? '');
};

/**
 * Returns whether the connection must serve no further query: its server is down, frozen or no longer the primary. A statement
 * that only ran too long leaves its connection usable.
 */
export function spoilsConnection(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(?:08|57P0|25006$)/.test(error.code ?? '');
  return isUnavailable(error) && !(error instanceof DeadlineExceeded);
}

/** SQLSTATE classes of faults that have nothing to do with the statement: connection, transaction, resources, operator, system. */
const statesOfServer = /^(?:08|25|53|57|58)/;

/** Returns whether PostgreSQL refused the rows of a statement, or a lock that they need. Fewer rows may succeed. */
export function isAboutRows(error: unknown): boolean {
  const cause = driverErrorOf(error);
  return cause instanceof DatabaseError && !statesOfServer.test(cause.code ?? '');
}

export function brokenConstraint(error: unknown): string | null {
  const cause = driverErrorOf(error);
  return cause instanceof DatabaseError && cause.code?.startsWith('23') ? (cause.constraint ?? null) : null;
}

/** The errors of constraints by their names. They get the error's `detail`, which PostgreSQL or a trigger wrote. */
export type ErrorsByConstraint = Record<string, (detail: string | undefined) => Error>;

export async function mapConstraintErrors<T>(
  errorsByConstraint: ErrorsByConstraint,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const constraint = brokenConstraint(error);
    const refusal = constraint === null ? undefined : errorsByConstraint[constraint];
    throw refusal ? refusal((driverErrorOf(error) as DatabaseError).detail) : error;
  }
}
