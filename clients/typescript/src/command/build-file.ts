import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { UsageFailure } from './failures.js';

/** A file of a build, in a folder or an archive. */
export interface BuildFile {
  /** Path for messages. */
  path: string;
  folder: string;
  name: string;
  size: number;
  /** Streams the content. Its bytes may differ from `size`, because archives state any size. */
  open(): Promise<Readable>;
}

/** Files that describe a build are small. A larger one is another file. */
const maxBytes = 2_000_000;

export async function bytesOf(file: BuildFile): Promise<Buffer> {
  const tooLarge = new UsageFailure(`${file.path} has more than ${maxBytes} bytes.`);
  if (file.size > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of await file.open()) {
    length += (chunk as Buffer).length;
    if (length > maxBytes) throw tooLarge;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

export const fileAt = (path: string, size: number): BuildFile => ({
  path,
  folder: dirname(path),
  name: basename(path),
  size,
  open: () => Promise.resolve(createReadStream(path)),
});

/** Lists the files in a folder, and in `Payload/NAME.app` of an unpacked `.ipa`. Links in the file system are not followed. */
export async function filesInFolder(path: string): Promise<BuildFile[]> {
  const apps = (await entriesOf(join(path, 'Payload'))).filter((entry) => entry.isDirectory());
  const folders = [path, ...apps.map(({ name }) => join(path, 'Payload', name))];
  const files: BuildFile[] = [];
  for (const folder of folders)
    for (const entry of await entriesOf(folder)) {
      const file = join(folder, entry.name);
      if (entry.isFile()) files.push(fileAt(file, (await stat(file)).size));
    }
  return files;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
