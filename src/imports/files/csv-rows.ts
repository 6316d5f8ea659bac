import { ByteWindow, type ReadBytes } from './byte-window';
import { type FileRow, maxRowBytes, tooLong } from '../model/file-row';

const [quote, lineFeed, carriageReturn, tab] = [...Buffer.from('"\n\r\t')];

const unclosed = 'The row has a quote that is never closed';
const textAfterQuote = 'The row has text after a closing quote; write a quote inside a cell twice';
const quoteInside =
  'The row has a quote inside a cell that does not begin with one; write the cell in quotes, and that quote twice';

/** The end of a row, and where the next one begins, from the begin of the row; or why it cannot be read. */
type Scan = { end: number; next: number } | { fault: string };

/**
 * Splits CSV (RFC 4180) into rows from a position on. A row ends with LF, CR or both; a quoted cell may contain them. Blank lines are
 * left out. Quotes that do not match refuse the line in which the row begins, and the next line is another row.
 */
export async function* csvRows(read: ReadBytes, from: number, delimiter: string): AsyncGenerator<FileRow> {
  const window = new ByteWindow(read, from);
  for (let start = from; ;) {
    const bytes = window.from(start);
    const scan = scanRow(bytes, delimiter.charCodeAt(0), window.isWhole);
    if (scan === null) await window.grow(start);
    else if ('fault' in scan) {
      const line = await lineAt(window, start);
      yield { start, ...line, bytes: null, fault: scan.fault };
      start = line.next;
    } else {
      const { end, next } = scan;
      if (next === 0) return;
      if (end > 0) yield { start, end: start + end, next: start + next, bytes: bytes.subarray(0, end), fault: null };
      start += next;
    }
  }
}

/** Finds the end of the row that begins here. Returns null if more bytes are needed. `next` is zero at the end of the file. */
function scanRow(bytes: Buffer, separator: number, isWhole: boolean): Scan | null {
  const incomplete = bytes.length > maxRowBytes ? { fault: tooLong } : null;
  for (let at = 0; ; at++) {
    const start = at;
    if (bytes[at] === quote) {
      const after = afterQuotedCell(bytes, at);
      if (after === null) return isWhole ? { fault: unclosed } : incomplete;
      if (after === bytes.length && !isWhole) return incomplete;
      if (endsCell(bytes, after, separator)) at = after;
      // Programs of databases write tabs, and quote nothing. But a quote that another row closes joins rows.
      else if (separator !== tab || lineBreak(bytes.subarray(start, after)) >= 0) return { fault: textAfterQuote };
      else at = endOfCell(bytes, at, separator);
    } else at = endOfCell(bytes, at, separator);
    if (at > maxRowBytes) return { fault: tooLong };
    if (at === bytes.length) return isWhole ? { end: at, next: at } : incomplete;
    const byte = bytes[at];
    if (byte === quote) return { fault: quoteInside };
    if (byte === lineFeed) return { end: at, next: at + 1 };
    if (byte === carriageReturn) {
      if (at + 1 === bytes.length && !isWhole) return incomplete;
      return { end: at, next: bytes[at + 1] === lineFeed ? at + 2 : at + 1 };
    }
  }
}

/** Returns the position behind a quoted cell; null if its end is not here. */
function afterQuotedCell(bytes: Buffer, start: number): number | null {
  for (let at = start + 1; ; at += 2) {
    at = bytes.indexOf(quote!, at);
    if (at < 0) return null;
    if (bytes[at + 1] !== quote) return at + 1;
  }
}

function endsCell(bytes: Buffer, at: number, separator: number): boolean {
  const byte = bytes[at];
  return byte === undefined || byte === separator || byte === lineFeed || byte === carriageReturn;
}

/** Returns the position of the byte that ends an unquoted cell, or of a quote in it. In files with tabs, quotes are text. */
function endOfCell(bytes: Buffer, start: number, separator: number): number {
  let at = start;
  while (!endsCell(bytes, at, separator) && (bytes[at] !== quote || separator === tab)) at++;
  return at;
}

async function lineAt(window: ByteWindow, start: number): Promise<{ end: number; next: number }> {
  for (let from = start; ;) {
    const bytes = window.from(from);
    const at = lineBreak(bytes);
    if (at >= 0 && (at + 1 < bytes.length || window.isWhole)) {
      const isPair = bytes[at] === carriageReturn && bytes[at + 1] === lineFeed;
      return { end: from + at, next: from + at + (isPair ? 2 : 1) };
    }
    from += at >= 0 ? at : bytes.length;
    if (window.isWhole) return { end: from, next: from };
    await window.grow(from);
  }
}

function lineBreak(bytes: Buffer): number {
  const [lf, cr] = [bytes.indexOf(lineFeed!), bytes.indexOf(carriageReturn!)];
  return lf < 0 || cr < 0 ? Math.max(lf, cr) : Math.min(lf, cr);
}

/** Splits a row of `csvRows` into its cells, of which there are at most `max`. */
export function csvCells(row: string, delimiter: string, max: number): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= row.length && cells.length < max;) {
    const quotedEnd = row[at] === '"' ? endOfQuotedCell(row, at, delimiter) : null;
    const separator = quotedEnd ?? row.indexOf(delimiter, at);
    const end = separator < 0 ? row.length : separator;
    cells.push(quotedEnd === null ? row.slice(at, end) : row.slice(at + 1, end - 1).replaceAll('""', '"'));
    at = end + 1;
  }
  return cells;
}

/** Returns the end of a quoted cell; null if the quote is text, as in files with tabs. */
function endOfQuotedCell(row: string, start: number, delimiter: string): number | null {
  let at = row.indexOf('"', start + 1);
  while (at >= 0 && row[at + 1] === '"') at = row.indexOf('"', at + 2);
  return at >= 0 && (at + 1 === row.length || row[at + 1] === delimiter) ? at + 1 : null;
}
