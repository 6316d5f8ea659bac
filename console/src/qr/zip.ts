import { bytesOf, crc32, joined } from './binary';

export interface NamedFile {
  name: string;
  content: Uint8Array;
}

/** Returns numbers as little-endian bytes. */
function numbers(fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [, size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

const version = 20;
/** Names are UTF-8 (APPNOTE 4.4.4, bit 11). */
const flags = 0x0800;
/** 1 January 1980, the first date of the format. */
const date = 0x21;

/** Packs files without compression, because pictures are compressed already (PKWARE APPNOTE 6.3). */
export function zipOf(files: readonly NamedFile[]): Uint8Array<ArrayBuffer> {
  const bodies: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const path = bytesOf(name);
    const common = [
      [version, 2],
      [flags, 2],
      [0, 2],
      [0, 2],
      [date, 2],
      [crc32(content), 4],
      [content.length, 4],
      [content.length, 4],
      [path.length, 2],
      [0, 2],
    ] as const;
    const head = numbers([[0x04034b50, 4], ...common]);
    bodies.push(head, path, content);
    const place = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ] as const;
    entries.push(numbers([[0x02014b50, 4], [version, 2], ...common, ...place]), path);
    offset += head.length + path.length + content.length;
  }
  const directory = joined(entries);
  const end = numbers([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [directory.length, 4],
    [offset, 4],
    [0, 2],
  ]);
  return joined([...bodies, directory, end]);
}
