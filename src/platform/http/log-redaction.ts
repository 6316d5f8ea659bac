import { inSources } from '../observability/source-positions';
import { driverErrorOf, QueryTooExpensive } from '../postgres/database-error';

const plain = /^[A-Za-z0-9/_.~-]{0,300}$/;

/** Pages whose address is the only secret. */
const secretPages = '/shared/';

/** Returns the path if it is safe to log. Percent-encoding could hide a key from its redaction. */
export function loggable(path: string): string | undefined {
  if (path.toLowerCase().startsWith(secretPages)) return secretPages;
  return plain.test(path) ? path : undefined;
}

/** Omits the statement's parameters and PostgreSQL's `detail`, because they contain customers' data. */
export function describeForLog(thrown: unknown): Record<string, unknown> {
  const error = driverErrorOf(thrown instanceof QueryTooExpensive ? thrown.cause : thrown);
  if (!(error instanceof Error)) return { message: typeof thrown };
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    table,
    stack: error.stack && inSources(error.stack),
  };
}
