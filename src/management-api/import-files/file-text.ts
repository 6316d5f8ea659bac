import { InvalidInput } from '../../shared/problem';
import { ImportFileTooLarge } from '../import-model/import.errors';

export const maxFileBytes = 200_000_000;

/** Beginnings of files that are no text in UTF-8, and what their senders do. */
const otherKinds: readonly (readonly [bytes: readonly number[], message: string])[] = [
  [[0xff, 0xfe], 'The file is in UTF-16; save it as UTF-8'],
  [[0xfe, 0xff], 'The file is in UTF-16; save it as UTF-8'],
  [[0x1f, 0x8b], 'The file is compressed; send it as it is'],
  [[0x50, 0x4b, 0x03, 0x04], 'The file is a ZIP archive or a spreadsheet; send CSV, JSON or NDJSON'],
];

/**
 * Decodes a file, and counts its bytes in `size`. A byte order mark is left out.
 * @throws InvalidInput if it is not UTF-8, ImportFileTooLarge
 */
export async function* fileText(chunks: AsyncIterable<Buffer>, size: { bytes: number }): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let head: Buffer | null = Buffer.alloc(0);
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw InvalidInput.asAWhole(
        'invalid_format',
        `The file is not UTF-8 before its byte ${size.bytes}; save it as UTF-8`,
      );
    }
  };
  for await (const chunk of chunks) {
    size.bytes += chunk.length;
    if (size.bytes > maxFileBytes) throw new ImportFileTooLarge('200 MB');
    let bytes = chunk;
    if (head !== null) {
      head = Buffer.concat([head, chunk]);
      if (head.length < 4) continue;
      requireText(head);
      bytes = head;
      head = null;
    }
    const text = decode(bytes);
    if (text !== '') yield text;
  }
  if (head !== null) {
    requireText(head);
    yield decode(head);
  }
  decode();
}

function requireText(head: Buffer): void {
  for (const [bytes, message] of otherKinds)
    if (bytes.every((byte, at) => head[at] === byte)) throw InvalidInput.asAWhole('invalid_format', message);
  // No file in UTF-8 begins with NUL, and UTF-16 and UTF-32 without a mark do.
  if (head.subarray(0, 4).includes(0))
    throw InvalidInput.asAWhole('invalid_format', 'The file is in UTF-16; save it as UTF-8');
}
