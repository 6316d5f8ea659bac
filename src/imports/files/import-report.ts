import { readJson } from '../../platform/http/json-limits';
import { EventLoopTurns } from '../../shared/event-loop-turns';
import { byteOrderMark, type CsvCell, csvRecord, withoutApostrophes } from '../../api-kit/kit/csv';
import { jsonFaults, maxRowValues } from '../model/file-row';
import type { Import } from '../model/import';
import type { ImportRow } from '../model/import-row';
import { foldedFlag } from '../sources/folded-flag';
import type { SourceRecord } from '../sources/import-source';

/**
 * Columns that a report has beside those of the file. A report that is sent again is read without them.
 *
 * `signpost_json` names the cells that hold JSON, because they are no text in the file, and `signpost_more` has keys that have no
 * column. Only reports of JSON have these two.
 */
const ownColumns = ['signpost_row', 'signpost_outcome', 'signpost_field', 'signpost_reason', 'signpost_unmapped'];
const jsonColumns = ['signpost_json', 'signpost_more'];

/** Writes rows with their outcomes as CSV that people correct and send again. */
export class ImportReport {
  readonly #isJson: boolean;

  constructor(
    private readonly job: Pick<Import, 'format' | 'columns'>,
    private readonly recordOf: (bytes: Buffer) => SourceRecord | null,
  ) {
    this.#isJson = job.format !== 'csv';
  }

  get head(): string {
    const own = [...ownColumns, ...(this.#isJson ? jsonColumns : [])];
    return byteOrderMark + csvRecord([...own, ...this.job.columns]);
  }

  /** Writes the rows of a batch, and lets other requests run in between, because each row has up to 1,000 cells. */
  async writeAll(rows: readonly ImportRow[]): Promise<string> {
    const turns = new EventLoopTurns();
    let text = '';
    for (const row of rows) {
      text += this.#write(row);
      await turns.next();
    }
    return text;
  }

  #write({ number, outcome, problems, unmapped, bytes }: ImportRow): string {
    const record = (bytes && this.recordOf(bytes)) ?? {};
    const joined = (texts: (string | null)[]) => [...new Set(texts.filter((one) => one !== null))].join('; ') || null;
    return csvRecord([
      number,
      outcome,
      joined(problems.map(({ field }) => field)),
      joined(problems.map(({ reason }) => reason)),
      joined(unmapped.map(({ field }) => field)),
      ...(this.#isJson ? this.#jsonCells(record) : []),
      ...this.job.columns.map((column) => this.#cellOf(record, column)),
    ]);
  }

  /** Returns a cell, which holds JSON in a report of JSON unless it is a text. */
  #cellOf(record: SourceRecord, column: string): CsvCell {
    // Names such as `constructor` have values that no row sent.
    if (!Object.hasOwn(record, column)) return null;
    const value = record[column];
    if (isText(value)) return value;
    return !this.#isJson && (value === '' || value === null) ? value : JSON.stringify(value);
  }

  #jsonCells(record: SourceRecord): CsvCell[] {
    const columns = new Set(this.job.columns);
    const inJson = this.job.columns.filter((column) => Object.hasOwn(record, column) && !isText(record[column]));
    const more = Object.entries(record).filter(([key]) => !columns.has(key));
    return [
      inJson.length > 0 ? JSON.stringify(inJson) : null,
      more.length > 0 ? JSON.stringify(Object.fromEntries(more)) : null,
    ];
  }
}

/** Tells text from values that a cell holds as JSON. An empty text would look like an absent key. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns whether the file is a report. People delete columns that they do not need, so one of its columns is enough. */
export const isReport = (header: readonly string[]): boolean => header.some(isOwnColumn);

export const isOwnColumn = (column: string): boolean => ownColumns.includes(column) || jsonColumns.includes(column);

/** Refuses a row whose cell with JSON was broken, or is beyond the limits of a row of JSON. The message is for the caller. */
export class UnreadableCell extends Error {}

/** Reads a cell with JSON. Spreadsheets write `true` and `false` in capitals, and in the language of their user. */
function fromJson(text: string): unknown {
  const reading = readJson(text, maxRowValues);
  if (!('fault' in reading)) return reading.value;
  if (reading.fault !== 'not_json') throw new UnreadableCell(jsonFaults[reading.fault]);
  const flag = foldedFlag(text);
  if (flag !== null) return flag;
  throw new UnreadableCell('The row has a cell that is not valid JSON, although signpost_json names it');
}

/** @throws UnreadableCell */
export function recordOfReport(header: readonly string[], cells: readonly string[]): SourceRecord {
  const texts = header.map((column, at) => [column, withoutApostrophes(cells[at] ?? '')] as const);
  const own = new Map(texts.filter(([column]) => isOwnColumn(column)));
  const others = texts.filter(([column]) => !isOwnColumn(column));
  const json = own.get('signpost_json');
  if (json === undefined) return Object.fromEntries(others);
  const inJson = new Set(fromJson(json || '[]') as string[]);
  const present = others
    .filter(([, text]) => text !== '')
    .map(([column, text]) => [column, inJson.has(column) ? fromJson(text) : text]);
  const more = fromJson(own.get('signpost_more') || '{}') as SourceRecord;
  return { ...more, ...(Object.fromEntries(present) as SourceRecord) };
}
