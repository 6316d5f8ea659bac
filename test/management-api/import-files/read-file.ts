import { windowLimits } from '../../../src/management-api/import-files/byte-window';
import { readLayout } from '../../../src/management-api/import-files/file-head';
import type { FileRow } from '../../../src/management-api/import-model/file-row';
import { fileRows } from '../../../src/management-api/import-files/file-rows';
import { recordReader, type RowRecord } from '../../../src/management-api/import-files/row-record';
import type { Encoding } from '../../../src/management-api/import-sources/text-encoding';
import type { ImportFormat } from '../../../src/management-api/import-model/import';

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
