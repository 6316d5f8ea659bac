import type { ApiPage } from '../import-apis/import-api';
import { jsonFaultOf } from '../../platform/http/json-limits';
import { type FileColumns, jsonFaults, maxRowLength, maxRowValues, tooLong } from '../import-files/file-columns';
import type { FileRow } from '../import-model/import-row';
import { requireListSize } from './received-answers';

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
      // JSON that is written again can be longer than the answer, such as that of 1e20.
      requireListSize(size.bytes);
      yield rowOf(text, quoted);
      if (text.length <= maxRowLength && !text.includes(quoted)) columns.add(given.map(([name]) => name));
    }
  }
}

function rowOf(text: string, quotedToken: string): FileRow {
  if (text.length > maxRowLength) return { record: null, fault: tooLong };
  if (text.includes(quotedToken)) return { record: null, fault: 'The row contains the token, which is not stored' };
  const fault = jsonFaultOf(Buffer.from(text), maxRowValues);
  return fault === null ? { record: text, fault: null } : { record: null, fault: jsonFaults[fault] };
}
