import { clip, InvalidInput } from '../../shared/problem';
import type { ImportFormat } from '../model/import';
import { csvCells, csvRows } from './csv-rows';
import { maxCells, maxNamesLength } from './file-columns';
import { BrokenFile, type FileLayout, type FileRow } from '../model/file-row';
import { fileRows } from './file-rows';
import { isOwnColumn } from './import-report';
import { maxFrameBytes } from './json-rows';
import { decodeText, type Encoding } from '../sources/text-encoding';

/** Returns the columns of the report, as far as the head names them. */
export const columnsOf = (layout: FileLayout): string[] =>
  layout.kind === 'csv' ? layout.header.filter((name) => !isOwnColumn(name)) : [];

/** Bytes that are checked before an upload is stored. */
export const headBytes = 262_144;

const malformed = (message: string): InvalidInput => InvalidInput.asAWhole('invalid_format', message);
const invalidJson = (message: string): InvalidInput => InvalidInput.asAWhole('invalid_json', message);

const otherKinds: readonly (readonly [bytes: readonly number[], message: string])[] = [
  [[0xff, 0xfe], 'The file is in UTF-16; save it as UTF-8'],
  [[0xfe, 0xff], 'The file is in UTF-16; save it as UTF-8'],
  [[0x1f, 0x8b], 'The file is compressed; send it as it is'],
  [[0x50, 0x4b, 0x03, 0x04], 'The file is a ZIP archive or a spreadsheet; send CSV, JSON or NDJSON'],
];

/**
 * Reads the head of a file: its encoding, and what is before the first row. Reads a file that is whole in its head to its end.
 * @param head at most `headBytes`
 * @throws InvalidInput if the head is not of the encoding or the format, or if the file is whole and has no rows
 */
export async function readLayout(
  format: ImportFormat,
  head: Buffer,
  isWhole: boolean,
  encoding: Encoding = 'utf-8',
): Promise<FileLayout> {
  const start = head.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? 3 : 0;
  if (start > 0 && encoding !== 'utf-8')
    throw malformed('The file begins with the byte order mark of UTF-8; leave out the option encoding');
  requireText(head, isWhole, encoding);
  let layout: FileLayout = { kind: 'lines', start };
  if (format === 'csv') layout = await csvLayout(head, isWhole, start, encoding);
  else if (format === 'json') layout = arrayLayout(head, isWhole, start);
  layout.encoding = encoding;
  if (isWhole) await requireRows(layout, head);
  return layout;
}

function requireText(head: Buffer, isWhole: boolean, encoding: Encoding): void {
  for (const [bytes, message] of otherKinds) if (bytes.every((byte, at) => head[at] === byte)) throw malformed(message);
  // No file in UTF-8 begins with NUL, and UTF-16 and UTF-32 without a mark do.
  if (head.subarray(0, 4).includes(0)) throw malformed('The file is in UTF-16; save it as UTF-8');
  try {
    decodeText(head, encoding, isWhole);
  } catch {
    throw malformed('The file is not UTF-8; save it as UTF-8, or set the option encoding to windows-1252');
  }
}

const readFrom = (head: Buffer) => (from: number, length: number) =>
  Promise.resolve(head.subarray(from, from + length));

async function requireRows(layout: FileLayout, head: Buffer): Promise<void> {
  try {
    let rows = 0;
    for await (const _ of fileRows(layout, readFrom(head), layout.start)) rows++;
    if (rows === 0) throw InvalidInput.asAWhole('too_small', 'The file has no rows');
  } catch (error) {
    if (error instanceof BrokenFile) throw invalidJson(error.message);
    throw error;
  }
}

const delimiters = [',', ';', '\t'];

/** Matches the line by which Excel names the delimiter before the header. */
const delimiterLine = /^[\r\n]*sep=([^"\r\n])(?:\r\n?|\n|$)/iu;

async function csvLayout(head: Buffer, isWhole: boolean, start: number, encoding: Encoding): Promise<FileLayout> {
  const text = head.subarray(start).toString();
  const named = delimiterLine.exec(text);
  const delimiter = named?.[1] ?? delimiterOf(text);
  if (delimiter.charCodeAt(0) > 0x7f)
    throw malformed(`The delimiter ${delimiter} is no ASCII character; use another one`);
  const from = start + Buffer.byteLength(named?.[0] ?? '');
  const rows = csvRows(readFrom(head), from, delimiter);
  const { value: row } = (await rows.next()) as IteratorResult<FileRow, undefined>;
  if (row?.fault) throw malformed(row.fault.replace('The row', 'The header'));
  // The end of the head cuts a header that is larger.
  if ((!row || row.end === head.length) && !isWhole) throw malformed(headerTooLong);
  return {
    kind: 'csv',
    start: row?.next ?? head.length,
    delimiter,
    header: headerOf(row?.bytes ? decodeText(row.bytes, encoding) : '', delimiter),
  };
}

const headerTooLong = 'The header has more than 64 kB; shorten the names of columns, or leave out empty ones';

/** Returns the delimiter that the first line that is not blank has most often, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ''] = /^(?:[^"\r\n]|"[^"]*"?)+/m.exec(text) ?? [];
  const unquoted = line.replaceAll(/"[^"]*"?/g, '');
  const counts = delimiters.map((delimiter) => unquoted.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

function headerOf(row: string, delimiter: string): string[] {
  const names = csvCells(row, delimiter, 2 * maxCells).map((cell, at) => cell.trim() || `column_${at + 1}`);
  // A report has some columns beside those of its file.
  if (names.filter((name) => !isOwnColumn(name)).length > maxCells)
    throw malformed(`The header has more than ${maxCells} columns; leave out empty ones`);
  if (row.length > maxNamesLength) throw malformed(headerTooLong);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw malformed(`The header has the column ${clip(repeated)} more than once; rename one`);
  return names;
}

/** Levels of arrays and objects around the array. Answers of APIs have up to two. */
const maxFrameLevels = 4;

/** Finds the only array of a file, or the first one of its object. */
function arrayLayout(head: Buffer, isWhole: boolean, start: number): FileLayout {
  const text = head.subarray(start, start + maxFrameBytes).toString('latin1');
  const [frame = ''] = /^(?:[^"[]|"(?:[^"\\]|\\.)*")*\[/s.exec(text) ?? [];
  if (frame === '') {
    if (!isWhole && head.length > maxFrameBytes) throw invalidJson('The file has too much text before its array');
    throw invalidJson('The file has no array of objects');
  }
  if (frame.split('{').length > maxFrameLevels)
    throw invalidJson('The file has no array of objects, or its array lies deeper');
  return { kind: 'array', start: start + frame.length };
}
