import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { clip, InvalidInput } from '../../shared/problem';
import { jsonFaultOf } from '../../platform/http/json-limits';
import { withoutApostrophes } from '../kit/csv';
import { csvColumns } from '../link-export/link-formats';
import { type FileColumns, jsonFaults, maxCells, maxRowLength, maxRowValues, tooLong } from './file-columns';
import { isOwnColumn, isReport, recordOfReport, UnreadableCell } from './import-report';
import type { FileRow } from '../import-model/import-row';

const delimiters = [',', ';', '\t'];

/** By default, the parser takes the first line end of the file for all others. */
const lineEnds = ['\r\n', '\n', '\r'];

const malformed = (message: string): InvalidInput => InvalidInput.asAWhole('invalid_format', message);

/** Faults of csv-parse, in the words of a caller. */
const messages: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote; write a quote inside a cell twice',
  INVALID_OPENING_QUOTE:
    'has a quote inside a cell that does not begin with one; write the cell in quotes, and that quote twice',
  CSV_MAX_RECORD_SIZE: 'has more than 250 kB; perhaps a quote is never closed',
};

/**
 * Reads the records of a CSV file (RFC 4180), whose first one names the cells. Cells are separated by commas, semicolons or tabs.
 * @throws InvalidInput if the quotes do not match, or the header is not valid
 */
export async function* csvRows(text: AsyncIterable<string>, columns: FileColumns): AsyncGenerator<FileRow> {
  const { delimiter, all } = await withDelimiter(text);
  const options = {
    delimiter,
    record_delimiter: lineEnds,
    // Programs of databases write tabs, and quote nothing.
    relax_quotes: delimiter === '\t',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowLength,
  };
  // The loop throws what has ended the pipeline.
  const parser = pipeline(Readable.from(all), parse(options), () => {});
  let header: string[] | null = null;
  let rows = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (delimiter === '\t' && cells.some(runsOn))
        throw malformed(`${placeOf(rows)} ${messages.CSV_INVALID_CLOSING_QUOTE}`);
      rows++;
      if (header === null) {
        header = headerOf(cells);
        const isOfReport = isReport(header);
        columns.add(
          header.filter((column) => !isOfReport || !isOwnColumn(column)),
          maxCells,
        );
      } else {
        // A report must keep the cells that have no header.
        if (cells.length > header.length && cells.length <= maxCells && !isReport(header))
          columns.add(allColumns(header, cells), maxCells);
        yield rowOf(header, cells);
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser is ahead of the loop. Its first record is the header.
    const records = Number((error as CsvError & { records?: number }).records ?? 0);
    throw malformed(`${placeOf(records)} ${messages[error.code] ?? 'is not valid CSV'}`);
  }
}

/** Returns whether a quote has joined a cell with others, up to a quote that does not end a cell. */
function runsOn(cell: string): boolean {
  const end = cell.startsWith('"') ? cell.search(/[\t\r\n]/) : -1;
  return end > 0 && /"[^\t\r\n]/.test(cell.slice(end));
}

/** Returns the place of a record by the number of records before it. */
const placeOf = (before: number): string => (before === 0 ? 'The header' : `Row ${before}`);

function headerOf(cells: string[]): string[] {
  // A report has some columns beside those of its file.
  if (cells.filter((cell) => !isOwnColumn(cell)).length > maxCells)
    throw malformed(`The header has more than ${maxCells} columns; leave out empty ones`);
  const names = cells.map((cell, at) => cell.trim() || `column_${at + 1}`);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw malformed(`The header has the column ${clip(repeated)} more than once; rename one`);
  return names;
}

function rowOf(header: string[], cells: string[]): FileRow {
  if (cells.length > Math.max(maxCells, header.length))
    return { record: null, fault: `The row has more than ${maxCells} cells` };
  let record: string;
  try {
    record = JSON.stringify(isReport(header) ? recordOfReport(header, cells) : recordOf(header, cells));
  } catch (error) {
    if (error instanceof UnreadableCell && error.fault !== 'not_json')
      return { record: null, fault: jsonFaults[error.fault] };
    return { record: null, fault: 'The row has a cell that is not valid JSON, although signpost_json names it' };
  }
  if (record.length > maxRowLength) return { record: null, fault: tooLong };
  // The cells of a report can hold JSON, each within the limit.
  if (isReport(header) && jsonFaultOf(Buffer.from(record), maxRowValues) !== null)
    return { record: null, fault: jsonFaults.too_many_values };
  const fault =
    cells.length === header.length ? null : `The row has ${cells.length} cells, and the header ${header.length}`;
  return { record, fault };
}

function recordOf(header: string[], cells: string[]): Record<string, string> {
  const read = isExport(header) ? withoutApostrophes : (cell: string) => cell;
  return Object.fromEntries(cells.map((cell, at) => [columnName(header, at), read(cell)] as const));
}

/** Returns the names of the cells of a row, also of those beyond the header. */
const allColumns = (header: readonly string[], cells: readonly string[]): string[] =>
  cells.map((_, at) => columnName(header, at));

const columnName = (header: readonly string[], at: number): string => header[at] ?? `column_${at + 1}`;

/**
 * Returns whether the file is an export of links, whose formulas have an apostrophe before them. People delete columns that they do
 * not need, so most of them are enough.
 */
const isExport = (header: readonly string[]): boolean =>
  csvColumns.filter((column) => header.includes(column)).length > csvColumns.length / 2;

/** Collects the first line that is not blank, without the text in quotes. Each character is read once, because pieces can be small. */
class FirstLine {
  text = '';
  /** Whether the line has ended. */
  isWhole = false;
  #isQuoted = false;

  add(piece: string): void {
    for (const character of piece) {
      if (this.isWhole) return;
      if (character === '"') {
        this.#isQuoted = !this.#isQuoted;
        this.text += character;
      } else if (this.#isQuoted) continue;
      else if (character !== '\n' && character !== '\r') this.text += character;
      else if (this.text.trim() === '') this.text = '';
      else this.isWhole = true;
    }
  }
}

/** Matches the line by which Excel names the delimiter before the header. */
const delimiterLine = /^[\r\n]*sep=([^"\r\n])(?:\r\n?|\n|$)/iu;

/** Finds the delimiter that the first line names, or that the header has most often. */
async function withDelimiter(text: AsyncIterable<string>): Promise<{ delimiter: string; all: AsyncIterable<string> }> {
  const iterator = text[Symbol.asyncIterator]();
  let head = '';
  const line = new FirstLine();
  while (!line.isWhole && head.length < maxRowLength) {
    const next = await iterator.next();
    if (next.done) break;
    head += next.value;
    line.add(next.value);
  }
  const counts = delimiters.map((delimiter) => line.text.split(delimiter).length);
  const named = delimiterLine.exec(head);
  const all = async function* (): AsyncGenerator<string> {
    yield head.slice(named?.[0].length);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  return { delimiter: named?.[1] ?? delimiters[counts.indexOf(Math.max(...counts))]!, all: all() };
}
