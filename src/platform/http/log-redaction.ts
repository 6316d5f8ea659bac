import { driverErrorOf } from '../postgres/database-error';

const plain = /^[A-Za-z0-9/_.~-]{0,300}$/;

/** The path where it can be logged as it is: nothing hides in percent-encoding from the redaction of keys. */
export const loggable = (path: string): string | undefined => (plain.test(path) ? path : undefined);

/** Neither the statement's parameters nor PostgreSQL's `detail`, which quotes them, are logged: they are the customer's data. */
export function describeForLog(thrown: unknown): Record<string, unknown> {
  const error = driverErrorOf(thrown);
  if (!(error instanceof Error)) return { message: typeof thrown };
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  return { type: error.name, message: error.message, code, constraint, table, stack: error.stack };
}
