import type { Readable } from 'node:stream';
import { UsageFailure } from './failures.js';

/** The longest line in characters. A request has at most 2,000,000 bytes. */
const maxLineLength = 4_000_000;

/**
 * Yields the lines of a UTF-8 stream with their numbers, without blank lines and a byte order mark.
 * @throws UsageFailure if the stream is no UTF-8 text, or has a line that would fill the memory
 */
export async function* linesOf(stream: Readable): AsyncGenerator<{ number: number; text: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let rest = '';
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new UsageFailure(`A line after line ${number} is not UTF-8 text.`);
    }
  };
  for await (const chunk of stream) {
    const lines = (rest + decode(chunk as Uint8Array)).split('\n');
    rest = lines.pop()!;
    if (rest.length > maxLineLength)
      throw new UsageFailure(`Line ${number + lines.length + 1} has more than 4,000,000 characters.`);
    for (const text of lines) {
      number++;
      if (text.trim() !== '') yield { number, text };
    }
  }
  rest += decode();
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}
