export type CsvCell = string | number | boolean | null;

/** Cells with any of these are written in quotes, so that each can be the delimiter. */
export type Delimiter = ',' | ';' | '\t';

/** Shows programs for spreadsheets that the file is in UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Matches where a spreadsheet would read a formula (OWASP, “CSV Injection”): at the begin of a cell, and after separators within it.
 * Some locales split cells there. Spreadsheets trim white space and format characters before a sign.
 */
const formulaStart = /(^|[;\t\r\n])(?=(?:(?![\t\r\n])['\p{White_Space}\p{Cf}])*[=+\-@＝＋－＠])/gu;

/**
 * Writes a record of RFC 4180. Null is an empty cell, and an empty text is `""`. An apostrophe before each formula makes it text.
 * The apostrophes can be removed again (docs/contract-resources.md, “Export”).
 */
export const csvRecord = (cells: readonly CsvCell[], delimiter: Delimiter = ','): string =>
  `${cells.map(csvCell).join(delimiter)}\r\n`;

export const csvFile = (records: readonly (readonly CsvCell[])[]): string =>
  byteOrderMark + records.map((cells) => csvRecord(cells)).join('');

/** Matches the apostrophes of `csvRecord`. */
const addedApostrophe = /(^|[;\t\r\n])'(?=(?:(?![\t\r\n])['\p{White_Space}\p{Cf}])*[=+\-@＝＋－＠])/gu;

/** Returns the text of a cell without the apostrophes of `csvRecord`. */
export const withoutApostrophes = (cell: string): string => cell.replaceAll(addedApostrophe, '$1');

/** Writes texts as one cell, in the form of a record. An import also splits at bars, and reads a bracket or brace as JSON. */
export const csvList = (texts: readonly string[]): string =>
  texts.map((text) => (/^[[{]|\|/.test(text) ? quoted(text) : quotedIfNeeded(text))).join(', ');

function csvCell(value: CsvCell): string {
  if (value === null) return '';
  return typeof value === 'string' ? quotedIfNeeded(value.replaceAll(formulaStart, "$1'")) : String(value);
}

const quotedIfNeeded = (text: string): string => (/^$|^\s|\s$|[",;\t\r\n]/.test(text) ? quoted(text) : text);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
