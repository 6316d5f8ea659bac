import { windowLimits } from '../../../src/imports/files/byte-window';
import { readLayout } from '../../../src/imports/files/file-head';
import type { FileRow } from '../../../src/imports/model/file-row';
import { fileRows } from '../../../src/imports/files/file-rows';
import { recordReader, type RowRecord } from '../../../src/imports/files/row-record';
import type { Encoding } from '../../../src/imports/sources/text-encoding';
import type { ImportFormat } from '../../../src/imports/model/import';

export type ReadRow = RowRecord & { text: string | null };

/**
 * Reads a file as a dry run does: its head, and then its rows, of which each batch has one. Each read has so many bytes.
 * @param isWhole whether the head has the whole file
 */
export async function readFile(
  format: ImportFormat,
  file: string | Buffer,
  bytes: number,
  isWhole = true,
  encoding?: Encoding,
): Promise<ReadRow[]> {
  const content = Buffer.from(file);
  const layout = await readLayout(format, content, isWhole, encoding);
  const readRow = recordReader(layout);
  const read = (from: number, length: number) => Promise.resolve(content.subarray(from, from + length));
  const before = windowLimits.readBytes;
  windowLimits.readBytes = bytes;
  try {
    const rows: ReadRow[] = [];
    for (let at = layout.start; ;) {
      const { value: row } = (await fileRows(layout, read, at).next()) as IteratorResult<FileRow, undefined>;
      if (!row) return rows;
      const text = row.bytes?.toString() ?? null;
      rows.push({ text, ...(row.bytes ? readRow(row.bytes) : { record: null, fault: row.fault }) });
      at = row.next;
    }
  } finally {
    windowLimits.readBytes = before;
  }
}
