import { jsonFaultOf, readJson } from '../../platform/http/json-limits';
import { withoutApostrophes } from '../../api-kit/kit/csv';
import type { SourceRecord } from '../sources/import-source';
import { csvColumns } from '../../links/export/link-formats';
import { csvCells } from './csv-rows';
import { maxCells } from './file-columns';
import { type FileLayout, jsonFaults, maxRowValues } from '../model/file-row';
import { isReport, recordOfReport, UnreadableCell } from './import-report';
import { decodeText } from '../sources/text-encoding';
import { isObject } from '../../shared/is-object';

/** Begins a line that says why the list of another system has a row that is not stored. No JSON begins with it. */
export const faultSign = '#';

/** A row as a record, or the reason why it cannot be read. A row with too many cells is a record, too. */
export interface RowRecord {
  record: SourceRecord | null;
  fault: string | null;
}

const unreadable = (fault: string): RowRecord => ({ record: null, fault });

export function recordReader(layout: FileLayout): (bytes: Buffer) => RowRecord {
  const read = layout.kind === 'csv' ? csvReader(layout) : jsonRecord;
  return (bytes) => {
    let text: string;
    try {
      text = decodeText(bytes, layout.encoding);
    } catch {
      return unreadable('The row is not UTF-8; save the file as UTF-8, or set the option encoding to windows-1252');
    }
    return read(text);
  };
}

function jsonRecord(text: string): RowRecord {
  if (text.startsWith(faultSign)) return unreadable(text.slice(faultSign.length));
  const reading = readJson(text, maxRowValues);
  if ('fault' in reading)
    return unreadable(reading.fault === 'not_json' ? 'The row is not valid JSON' : jsonFaults[reading.fault]);
  const { value } = reading;
  return isObject(value) ? { record: value, fault: null } : unreadable('The row must be a JSON object');
}

function csvReader({ header, delimiter }: FileLayout & { kind: 'csv' }): (row: string) => RowRecord {
  const maxOfRow = Math.max(maxCells, header.length);
  const textOf = isExport(header) ? withoutApostrophes : (cell: string) => cell;
  const readCells = isReport(header) ? reportRecord : plainRecord;
  return (row) => {
    const cells = csvCells(row, delimiter, maxOfRow + 1);
    if (cells.length > maxOfRow) return unreadable(`The row has more than ${maxCells} cells`);
    return readCells(header, cells, textOf);
  };
}

function reportRecord(header: readonly string[], cells: readonly string[]): RowRecord {
  try {
    const record = recordOfReport(header, cells);
    // The cells of a report can hold JSON, each within the limit.
    const fault = jsonFaultOf(Buffer.from(JSON.stringify(record)), maxRowValues);
    return fault === null ? { record, fault } : unreadable(jsonFaults[fault]);
  } catch (error) {
    if (error instanceof UnreadableCell) return unreadable(error.message);
    throw error;
  }
}

function plainRecord(header: readonly string[], cells: readonly string[], textOf: (cell: string) => string): RowRecord {
  // Spreadsheets leave out empty cells at the end of a row, or add some.
  const used = cells.slice(0, Math.max(header.length, cells.findLastIndex((cell) => cell !== '') + 1));
  const further = used.slice(header.length).map((_, at) => `column_${header.length + at + 1}`);
  const names = [...header, ...further];
  const record = Object.fromEntries(used.map((cell, at) => [names[at]!, textOf(cell)]));
  if (further.length === 0) return { record, fault: null };
  return { record, fault: `The row has ${used.length} cells, and the header ${header.length}` };
}

/** Returns whether the file is an export of links, whose formulas have an apostrophe before them. Most columns are enough. */
const isExport = (header: readonly string[]): boolean =>
  csvColumns.filter((column) => header.includes(column)).length > csvColumns.length / 2;
