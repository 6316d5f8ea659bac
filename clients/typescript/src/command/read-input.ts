import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { Failure, reasonOf } from './failures.js';
import type { Io } from './io.js';

/** Reads a whole stream as text. */
export async function readAll(stream: Readable): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk as Uint8Array, { stream: true });
  return text + decoder.decode();
}

/** Opens a file, or stdin for `-`. An interruption ends the stream. A missing file fails here, and not later in the middle of a request. */
export async function openInput(io: Io, file: string): Promise<{ stream: Readable; bytes: number | null }> {
  if (file === '-') return { stream: addAbortSignal(io.signal, io.stdin), bytes: null };
  try {
    const handle = await open(file);
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      await handle.close();
      throw new Error('it is a folder');
    }
    return { stream: addAbortSignal(io.signal, handle.createReadStream()), bytes: stats.isFile() ? stats.size : null };
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** Reads a file. */
export async function readBytes(io: Io, file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(file, { signal: io.signal }));
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** Reads a text file, or stdin for `-`. */
export async function readText(io: Io, file: string): Promise<string> {
  try {
    return await readAll(addAbortSignal(io.signal, file === '-' ? io.stdin : createReadStream(file)));
  } catch (error) {
    throw new Failure(`${file === '-' ? 'stdin' : file} cannot be read as UTF-8 text: ${reasonOf(error)}`);
  }
}
