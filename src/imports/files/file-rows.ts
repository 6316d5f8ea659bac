import type { ReadBytes } from './byte-window';
import { csvRows } from './csv-rows';
import type { FileLayout, FileRow } from '../model/file-row';
import { arrayRows, lineRows } from './json-rows';

/**
 * Splits a file into rows, from a position behind a row on. Bytes are counted before anything is built: a row has at most
 * `maxRowBytes`. No other bytes are in memory but those of a read.
 * @throws BrokenFile
 */
export function fileRows(layout: FileLayout, read: ReadBytes, from: number): AsyncGenerator<FileRow> {
  if (layout.kind === 'csv') return csvRows(read, from, layout.delimiter);
  return layout.kind === 'array' ? arrayRows(read, from, layout.start) : lineRows(read, from);
}
