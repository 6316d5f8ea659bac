import type { ApiPage } from '../import-apis/import-api';
import { ImportApiFailure } from '../import-apis/import-api.errors';
import { type FileColumns, maxRowLength, tooLong } from './file-columns';
import type { FileRow } from './import-row';

/** Characters of a list. A link of an API has up to ten times those of a row in a file. */
const maxListLength = 1_000_000_000;

/**
 * Reads the links of pages as rows of a file, and counts their length in `size`.
 * @param token must be in no row, because rows are stored
 * @throws ImportApiFailure if the list is too large
 */
export async function* listedRows(
  pages: AsyncIterable<ApiPage>,
  token: string,
  size: { bytes: number },
  columns: FileColumns,
): AsyncGenerator<FileRow> {
  const quoted = JSON.stringify(token).slice(1, -1);
  for await (const { records } of pages) {
    for (const record of records) {
      // Null holds nothing, and lists of APIs are full of it.
      const given = Object.entries(record).filter(([, value]) => value !== null);
      const text = JSON.stringify(Object.fromEntries(given));
      size.bytes += text.length;
      if (size.bytes > maxListLength)
        throw new ImportApiFailure(
          'list_too_large',
          'The list has more than 1 GB; choose a part of it, or import files',
        );
      yield rowOf(text, quoted);
      if (text.length <= maxRowLength && !text.includes(quoted)) columns.add(given.map(([name]) => name));
    }
  }
}

function rowOf(text: string, quotedToken: string): FileRow {
  if (text.length > maxRowLength) return { record: null, fault: tooLong };
  if (text.includes(quotedToken)) return { record: null, fault: 'The row contains the token, which is not stored' };
  return { record: text, fault: null };
}
