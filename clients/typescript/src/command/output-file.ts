import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync, type Stats } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
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
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      onBytes(bytes);
      yield chunk;
    }
  };
  // A stream that fails makes the other one fail too.
  let failed: 'source' | 'output' | null = null;
  const noteSource = (): void => void (failed ??= 'source');
  const noteOutput = (): void => void (failed ??= 'output');
  source.on('error', noteSource);
  const writeTo = async (output: Writable, end: boolean): Promise<void> => {
    output.on('error', noteOutput);
    try {
      await pipeline(source, counted, output, { end });
    } finally {
      // A file that is destroyed may report its error once more.
      if (!end) output.off('error', noteOutput);
    }
  };
  try {
    if (file === undefined) await writeTo(io.stdout, false);
    else await writeFile(file, (output) => writeTo(output, true));
  } catch (error) {
    source.destroy();
    if (io.signal.aborted) throw new Interrupted('The file was not completed.');
    if (failed === 'source')
      throw new Unreachable(`The connection closed before the end of the file: ${reasonOf(error)}`);
    throw new Failure(`${file ?? 'stdout'} cannot be written: ${reasonOf(error)}`);
  }
  return bytes;
}

/** Writes beside the file, and renames at the end. Pipes and devices, such as `/dev/stdout`, are written directly. */
async function writeFile(file: string, write: (output: Writable) => Promise<void>): Promise<void> {
  const present = await statOf(file);
  if (present && !present.isFile()) return write(createWriteStream(file));
  // A symbolic link stays, and leads to the new file.
  const target = present ? await realpath(file) : file;
  const partial = `${target}.${randomUUID()}.part`;
  const remove = (): void => rmSync(partial, { force: true });
  process.once('exit', remove);
  try {
    await write(createWriteStream(partial, { flags: 'wx', mode: present ? present.mode & 0o777 : 0o666 }));
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    process.off('exit', remove);
  }
}

async function statOf(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
