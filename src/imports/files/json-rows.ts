import { ByteWindow, type ReadBytes } from './byte-window';
import { BrokenFile, type FileRow, maxRowBytes, tooLong } from '../model/file-row';

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace, lineFeed] = Buffer.from('"\\,[]{}\n');

/** Splits text into lines that are not blank, from a position on. */
export async function* lineRows(read: ReadBytes, from: number): AsyncGenerator<FileRow> {
  const window = new ByteWindow(read, from);
  for (let start = from, at = from; ;) {
    const bytes = window.from(at);
    const position = bytes.indexOf(lineFeed!);
    if (position < 0 && !window.isWhole) {
      at += bytes.length;
      // The bytes of a line that is too long are not needed.
      await window.grow(at - start > maxRowBytes ? at : start);
      continue;
    }
    const end = position < 0 ? at + bytes.length : at + position;
    const row = rowOf(window, start, end, end + (position < 0 ? 0 : 1));
    if (row.bytes?.toString().trim() !== '') yield row;
    if (position < 0) return;
    start = at = row.next;
  }
}

/** Finds the end of one JSON value after the other. It counts brackets, but checks no syntax. */
class ValueScanner {
  levels = 0;
  #isInString = false;
  #isEscaped = false;

  /** Returns the position of a byte that ends a value: a comma or a closing bracket outside of it. Returns -1 if no byte does. */
  find(bytes: Buffer): number {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#isInString) {
        at = this.#endOfString(bytes, at);
        continue;
      }
      const byte = bytes[at];
      if (byte === quote) this.#isInString = true;
      else if (byte === openBracket || byte === openBrace) this.levels++;
      else if (byte === closeBracket || byte === closeBrace) {
        if (this.levels === 0) return at;
        this.levels--;
      } else if (byte === comma && this.levels === 0) return at;
    }
    return -1;
  }

  /** Returns the position of the quote that ends the string, or of the last byte. */
  #endOfString(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++)
      if (this.#isEscaped) this.#isEscaped = false;
      else if (bytes[at] === backslash) this.#isEscaped = true;
      else if (bytes[at] === quote) {
        this.#isInString = false;
        return at;
      }
    return bytes.length;
  }
}

/**
 * Splits an array into its elements.
 * @param from position in the array: behind its bracket, or behind a comma
 * @param frameEnd position behind the bracket that opens the array
 * @throws BrokenFile if the array does not end, or the text around it is no JSON
 */
export async function* arrayRows(read: ReadBytes, from: number, frameEnd: number): AsyncGenerator<FileRow> {
  const window = new ByteWindow(read, from);
  const scanner = new ValueScanner();
  for (let start = from, at = from; ;) {
    const bytes = window.from(at);
    const lineEnd = scanner.find(bytes);
    if (lineEnd < 0) {
      if (window.isWhole) throw new BrokenFile('The file ends before its array does');
      at += bytes.length;
      await window.grow(at - start > maxRowBytes ? at : start);
      continue;
    }
    const end = at + lineEnd;
    const row = rowOf(window, start, end, end + 1);
    const isLast = bytes[lineEnd] !== comma;
    // An empty array has no element. Elsewhere, a missing one is a fault of the row.
    if (!isLast || row.bytes?.toString().trim() !== '')
      // The last row ends before the bracket, so that the next batch finds the end of the file.
      yield isLast ? { ...row, next: end } : row;
    if (isLast) return requireFrame(read, frameEnd, end);
    start = at = end + 1;
  }
}

function rowOf(window: ByteWindow, start: number, end: number, next: number): FileRow {
  if (end - start > maxRowBytes) return { start, end, next, bytes: null, fault: tooLong };
  return { start, end, next, bytes: window.from(start).subarray(0, end - start), fault: null };
}

export const maxFrameBytes = 65_536;

/** @throws BrokenFile unless the text before and after the elements is JSON with one array */
async function requireFrame(read: ReadBytes, frameEnd: number, arrayEnd: number): Promise<void> {
  const after = await read(arrayEnd, maxFrameBytes + 1);
  if (after.length > maxFrameBytes) throw new BrokenFile('The file has too much text behind its array');
  const frame = (await read(0, frameEnd)).toString() + after.toString();
  const text = frame.replace(/^\uFEFF/, '');
  try {
    JSON.parse(text);
  } catch {
    throw new BrokenFile('The file is not valid JSON around its array');
  }
  if (text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').split('[').length > 2)
    throw new BrokenFile('The file has more than one array; send one');
}
