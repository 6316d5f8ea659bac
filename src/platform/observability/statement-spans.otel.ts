import type { Span } from '@opentelemetry/api';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';

/**
 * A span for each statement that a sampled request sends, with its text and without its parameters. Waiting for a connection is
 * the time before it.
 */
export const statementSpans = (): PgInstrumentation =>
  new PgInstrumentation({
    requireParentSpan: true,
    ignoreConnectSpans: true,
    requestHook: (span, { query }) => {
      span.updateName(statementName(query.text, query.name));
      withoutMessage(span);
    },
  });

/** By text; there are some hundred statements. */
const names = new Map<string, string>();
const maxNames = 1000;

/**
 * What the statement is named in the code, else its operation and table, such as `SELECT projects`.
 *
 * @param given what pg calls the prepared statement; `s12` and the like tell nothing but the order of first use
 */
export function statementName(text: string, given?: string): string {
  if (given !== undefined && !/^s[0-9]+$/.test(given)) return given;
  let name = names.get(text);
  if (name === undefined) {
    name = nameOf(text);
    if (names.size < maxNames) names.set(text, name);
  }
  return name;
}

function nameOf(text: string): string {
  const statement = withoutParentheses(text);
  const operation = /[A-Za-z]+/.exec(statement)?.[0].toUpperCase() ?? 'SQL';
  const table = /\b(?:FROM|INTO|UPDATE)\s+"?([a-z_]+)/i.exec(statement)?.[1];
  return table === undefined ? operation : `${operation} ${table}`;
}

/** Subqueries have tables of their own. */
function withoutParentheses(text: string): string {
  const without = text.replace(/\([^()]*\)/g, ' ');
  return without === text ? text : withoutParentheses(without);
}

/** PostgreSQL's messages quote values. The error's code is in the span's event, and the message in the log. */
function withoutMessage(span: Span): void {
  const setStatus = span.setStatus.bind(span);
  span.setStatus = ({ code }) => setStatus({ code });
}
