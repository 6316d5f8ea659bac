import type { Readable } from 'node:stream';

/** Yields the lines of a UTF-8 stream with their numbers, without blank lines and a byte order mark. */
export async function* linesOf(stream: Readable): AsyncGenerator<{ number: number; text: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const text of lines) {
      number++;
      if (text.trim() !== '') yield { number, text };
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}
