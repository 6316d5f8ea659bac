const delimiters = [',', ';', '\t'];

/** Columns that a report has beside those of the file. The service leaves them out when a report is sent again. */
const reportColumns = [
  'signpost_row',
  'signpost_outcome',
  'signpost_field',
  'signpost_reason',
  'signpost_unmapped',
  'signpost_json',
  'signpost_more',
];

const maxRows = 5;

export interface CsvHead {
  columns: string[];
  /** The first rows, with a cell for each column. */
  rows: string[][];
  /** A name that the header has more than once, which the service refuses; null if all names differ. */
  repeated: string | null;
}

/**
 * Reads the header and the first rows of a CSV file as the service does (RFC 4180). Returns null if the header does not end in
 * the text.
 * @param text the beginning of the file
 * @param isWhole whether the text is the whole file, so that its last row is complete
 */
export function csvHead(text: string, isWhole: boolean): CsvHead | null {
  const all = text.replace(/^\u{feff}/u, '');
  const named = delimiterLine.exec(all);
  const content = all.slice(named?.[0].length);
  const [header, ...rows] = records(content, named?.[1] ?? delimiterOf(content), isWhole);
  if (!header) return null;
  const names = header.map((cell, at) => cell.trim() || `column_${at + 1}`);
  const places = [...names.keys()].filter((at) => !reportColumns.includes(names[at]!));
  return {
    columns: places.map((at) => names[at]!),
    rows: rows.map((cells) => places.map((at) => cells[at] ?? '')),
    repeated: names.find((name, at) => names.indexOf(name) !== at) ?? null,
  };
}

/** Matches the line by which Excel names the delimiter before the header. */
const delimiterLine = /^[\r\n]*sep=([^"\r\n])(?:\r\n?|\n|$)/iu;

/** Finds the delimiter that the header has most often. */
function delimiterOf(text: string): string {
  const line = firstLineOf(text);
  const counts = delimiters.map((delimiter) => line.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

/** Returns the first line that is not blank, without the text in quotes. A quoted cell of it can have line breaks. */
function firstLineOf(text: string): string {
  const lines = text.replaceAll(/"[^"]*(?:"|$)/g, '""').split(/[\n\r]/);
  return lines.find((line) => line.trim() !== '') ?? '';
}

/** Returns the header and the first rows that end in the text. Empty lines are no rows. */
function records(text: string, delimiter: string, isWhole: boolean): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = (): void => {
    cells.push(cell);
    cell = '';
  };
  const endRecord = (): void => {
    endCell();
    if (cells.length > 1 || cells[0] !== '') rows.push(cells);
    cells = [];
  };
  for (let at = 0; at < text.length && rows.length <= maxRows; at++) {
    const character = text[at]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === delimiter) endCell();
    else if (character === '\n' || character === '\r') endRecord();
    else cell += character;
  }
  if (isWhole && !isQuoted && rows.length <= maxRows) endRecord();
  return rows;
}
