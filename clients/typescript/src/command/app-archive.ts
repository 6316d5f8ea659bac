import { open, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Entry, ZipFile } from 'yauzl';
import { apkFingerprints } from './apk-fingerprints.js';
import type { BuildFile } from './build-file.js';

/** Limits of archives. The App Store accepts 4 GB. */
const limits = { bytes: 4_000_000_000, entries: 100_000, files: 1000 };

/** Text and programs are compressed to a fifth. An entry above this ratio is made to fill memory. */
const maxRatio = 100;

/** The files that can describe an app. Archives inside the archive are never opened. */
const places = {
  '.ipa': /^Payload\/[^/]+\.app\/[^/]+$/,
  '.apk': /^AndroidManifest\.xml$/,
};

export interface AppArchive {
  files: BuildFile[];
  /** SHA-256 fingerprints of the certificates that sign an `.apk`. */
  fingerprints: string[];
  close(): void;
}

export const isArchive = (path: string): boolean => posix.extname(path).toLowerCase() in places;

/**
 * Lists the files of an `.ipa` or `.apk` that can describe the app. Nothing is unpacked to the file system.
 * @throws Error if the archive is damaged or hostile
 */
export async function openArchive(path: string): Promise<AppArchive> {
  const extension = posix.extname(path).toLowerCase() as keyof typeof places;
  if ((await stat(path)).size > limits.bytes) throw new Error(`it has more than ${limits.bytes} bytes`);
  // Other commands start without the library.
  const { openPromise } = await import('yauzl');
  const archive = await openPromise(path, { autoClose: false });
  try {
    const files = await filesIn(archive, path, places[extension]);
    return {
      files,
      fingerprints: extension === '.apk' ? await certificatesOf(path) : [],
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function filesIn(archive: ZipFile, path: string, place: RegExp): Promise<BuildFile[]> {
  const files = new Map<string, BuildFile>();
  // The library reads as many entries as the archive states.
  if (archive.entryCount > limits.entries) throw new Error(`it has more than ${limits.entries} entries`);
  // The library refuses absolute names, and names with `..`.
  for await (const entry of archive.eachEntry()) {
    const { fileName } = entry;
    if (isLink(entry)) throw new Error(`${fileName} in it is a link`);
    if (!place.test(fileName)) continue;
    if (files.has(fileName)) throw new Error(`it has ${fileName} twice`);
    if (files.size >= limits.files) throw new Error(`it has more than ${limits.files} files beside ${fileName}`);
    files.set(fileName, {
      path: `${path}: ${fileName}`,
      folder: posix.dirname(fileName),
      name: posix.basename(fileName),
      size: entry.uncompressedSize,
      open: () => {
        if (entry.uncompressedSize > maxRatio * entry.compressedSize)
          throw new Error(`${fileName} in it is compressed more than ${maxRatio} times`);
        return archive.openReadStreamPromise(entry);
      },
    });
  }
  return [...files.values()];
}

/** Returns whether Unix attributes make the entry a symbolic link. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

async function certificatesOf(path: string): Promise<string[]> {
  const file = await open(path);
  try {
    return await apkFingerprints(file);
  } finally {
    await file.close();
  }
}
