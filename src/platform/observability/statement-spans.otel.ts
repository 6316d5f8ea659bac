import type { Span } from '@opentelemetry/api';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import pg from 'pg';

/**
 * Adds a span to each statement of `pg`, once the SDK has started. It patches `pg` itself, because the hook of the SDK waits for
 * a package of that name to load, and a bundle contains it.
 */
export function instrumentStatements(): void {
  const instrumentation = new PgInstrumentation({
    enabled: false, // the hook
    requireParentSpan: true,
    ignoreConnectSpans: true,
    requestHook: (span, { query }) => {
      span.updateName(statementName(query.text, query.name));
      withoutMessage(span);
    },
  });
  for (const { name, patch } of instrumentation.getModuleDefinitions()) if (name === 'pg') patch?.(pg);
}

/**
 * Returns the name of a prepared statement, or its operation and table, such as `SELECT projects`.
 *
 * @param ownName pg's name of the statement; names such as `s12` are ignored
 */
function statementName(text: string, ownName?: string): string {
  if (ownName !== undefined && !/^s[0-9]+$/.test(ownName)) return ownName;
  const statement = withoutParentheses(text);
  const operation = /[A-Za-z]+/.exec(statement)?.[0].toUpperCase() ?? 'SQL';
  const table = /\b(?:FROM|INTO|UPDATE)\s+"?([a-z_]+)/i.exec(statement)?.[1];
  return table === undefined ? operation : `${operation} ${table}`;
}

function withoutParentheses(text: string): string {
  const without = text.replace(/\([^()]*\)/g, ' ');
  return without === text ? text : withoutParentheses(without);
}

/** Removes PostgreSQL's message, because it quotes values. The span's event has the code, and the log the message. */
function withoutMessage(span: Span): void {
  const setStatus = span.setStatus.bind(span);
  span.setStatus = ({ code }) => setStatus({ code });
}
