import type { Import } from 'signpost-client';

/** A format of files. Lists that the service reads itself have none. */
export type Format = Exclude<Import['format'], 'api'>;

/** Of the service. */
const maxFileBytes = 200_000_000;

/** A header with the most columns that the service maps has a third of it. */
const headBytes = 128 * 1024;

export type FileFault = 'empty' | 'tooLarge' | 'utf16' | 'compressed' | 'spreadsheet' | 'notUtf8' | 'unreadable';

/** Of the service. */
export const encodings = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export interface ReadableFile {
  file: File;
  format: Format;
  encoding: Encoding;
  /** The beginning of its text. */
  head: string;
  /** Whether the beginning is all. */
  isWhole: boolean;
}

const beginnings: readonly (readonly [bytes: readonly number[], fault: FileFault])[] = [
  [[0xff, 0xfe], 'utf16'],
  [[0xfe, 0xff], 'utf16'],
  [[0x1f, 0x8b], 'compressed'],
  [[0x50, 0x4b, 0x03, 0x04], 'spreadsheet'],
];

/**
 * Reads the beginning of a file. Returns a fault for which the service would refuse it.
 * @param chosen the encoding; without it, Windows-1252 is proposed for text that is not UTF-8
 */
export async function readableFile(file: File, chosen?: Encoding): Promise<ReadableFile | FileFault> {
  if (file.size === 0) return 'empty';
  if (file.size > maxFileBytes) return 'tooLarge';
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const isWhole = bytes.length === file.size;
  const match = beginnings.find(([beginning]) => beginning.every((byte, at) => bytes[at] === byte));
  if (match) return match[1];
  // Windows-1252 has a character for each byte, so that it also reads what is not text.
  const candidates = chosen ? [chosen] : bytes.includes(0) ? (['utf-8'] as const) : encodings;
  for (const encoding of candidates) {
    const head = decoded(bytes, encoding, isWhole);
    if (head !== null) return { file, format: formatOf(file.name, head), encoding, head, isWhole };
  }
  return 'notUtf8';
}

function decoded(bytes: Uint8Array, encoding: Encoding, isWhole: boolean): string | null {
  try {
    // A character that the end cuts is left out.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}

/** Returns the format of a file by its name, and otherwise by the beginning of its text. */
export function formatOf(name: string, head: string): Format {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (['csv', 'tsv', 'txt'].includes(extension)) return 'csv';
  if (['ndjson', 'jsonl'].includes(extension)) return 'ndjson';
  const text = head.trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return 'csv';
  // Each line of NDJSON is an object. An object with a list of links goes on in the next line, or has the list in one.
  const [line, next] = text.split('\n', 2);
  return isObject(line!) && (next?.trim() || extension !== 'json') ? 'ndjson' : 'json';
}

function isObject(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
