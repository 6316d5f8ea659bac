import { type ExitCode, exitCodes } from './exit-codes.js';
import { Failure, Refused } from './failures.js';
import { printable, safeJson } from './text.js';

const maxListed = 20;

/** Renders a failure for stderr, and returns its exit code. Unforeseen errors keep their stack trace. */
export function renderFailure(error: unknown, isJson: boolean): { text: string; exitCode: ExitCode } {
  if (!(error instanceof Failure)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { text: `signpost: ${printableLines(text)}\n`, exitCode: exitCodes.failed };
  }
  const { exitCode } = error;
  if (isJson) return { text: `${safeJson({ error: jsonOf(error) })}\n`, exitCode };
  if (!(error instanceof Refused)) {
    return { text: `signpost: ${printableLines(error.message)}\n`, exitCode };
  }
  const lines = [`${error.code}: ${error.message} (${error.status})`, ...detailLines(error.details)];
  if (error.requestId) lines.push(`  Request id: ${error.requestId}`);
  return { text: `signpost: ${lines.map(printable).join('\n')}\n`, exitCode };
}

const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

function jsonOf(error: Failure): object {
  if (!(error instanceof Refused)) return { code: null, message: error.message };
  const { code, message, details, status, requestId } = error;
  return { code, message, details, status, request_id: requestId };
}

/** Returns a line for each field at fault, or for each other detail. */
export function detailLines(details: unknown): string[] {
  if (Array.isArray(details)) {
    const lines = details.map((each) => {
      const { path = [], message = '' } = each as { path?: (string | number)[]; message?: string };
      return `  ${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`;
    });
    if (lines.length > maxListed) return [...lines.slice(0, maxListed), `  … ${lines.length - maxListed} more`];
    return lines;
  }
  if (typeof details !== 'object' || details === null || 'operations' in details) return [];
  return Object.entries(details).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}
