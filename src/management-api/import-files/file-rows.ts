import type { ImportFormat } from '../import-model/import';
import type { FileRow } from '../import-model/import-row';
import { csvRows } from './csv-rows';
import { type FileColumns, jsonFaults, maxRowLength, maxRowValues, tooLong } from './file-columns';
import { arrayElements } from './json-array';
import { lines } from './ndjson-lines';
import { readJson } from '../../platform/http/json-limits';

/** Reads the rows of a file. @throws InvalidInput if the file as a whole cannot be read */
export function fileRows(
  format: ImportFormat,
  text: AsyncIterable<string>,
  columns: FileColumns,
): AsyncIterable<FileRow> {
  if (format === 'csv') return csvRows(text, columns);
  return jsonRows(format === 'ndjson' ? lines(text, maxRowLength) : arrayElements(text, maxRowLength), columns);
}

/** @param texts null stands for a text that is too long */
async function* jsonRows(texts: AsyncIterable<string | null>, columns: FileColumns): AsyncGenerator<FileRow> {
  for await (const text of texts) yield text === null ? { record: null, fault: tooLong } : jsonRow(text, columns);
}

function jsonRow(text: string, columns: FileColumns): FileRow {
  const reading = readJson(text, maxRowValues);
  if ('fault' in reading) {
    const { fault } = reading;
    return { record: null, fault: fault === 'not_json' ? 'The row is not valid JSON' : jsonFaults[fault] };
  }
  const { value } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { record: null, fault: 'The row must be a JSON object' };
  columns.add(Object.keys(value));
  return { record: text, fault: null };
}
