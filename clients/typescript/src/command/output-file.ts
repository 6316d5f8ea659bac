import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Failure, Interrupted, reasonOf, Unreachable } from './failures.js';
import type { Io } from './io.js';

/**
 * Writes the body of an answer to a file, or to stdout. A file appears under its name once it is complete.
 * @returns the bytes
 */
export async function saveBody(
  io: Io,
  body: unknown,
  file: string | undefined,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<number> {
  const source = Readable.fromWeb(body as ReadableStream);
  let bytes = 0;
  let isBroken = false;
  source.on('error', () => (isBroken = true));
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      onBytes(bytes);
      yield chunk;
    }
  };
  const partial = `${file}.${process.pid}.part`;
  try {
    if (file === undefined) await pipeline(source, counted, io.stdout, { end: false });
    else {
      await pipeline(source, counted, createWriteStream(partial));
      await rename(partial, file);
    }
  } catch (error) {
    if (file !== undefined) await rm(partial, { force: true });
    if (io.signal.aborted) throw new Interrupted('The file was not completed.');
    if (isBroken) throw new Unreachable(`The connection closed before the end of the file: ${reasonOf(error)}`);
    throw new Failure(`${file ?? 'stdout'} cannot be written: ${reasonOf(error)}`);
  }
  return bytes;
}
