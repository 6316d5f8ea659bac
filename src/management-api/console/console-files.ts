import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { loadedOnce } from '../../shared/loaded-once';
import { StaticFile } from '../../api-kit/openapi/static-file';
import { ConsoleSettings } from './console-settings';

/** Names contain the hash of their content. */
const immutable = 'public, max-age=31536000, immutable';

/** The licences of the packages in the assets, which the build of the console collects. */
const licencesFile = 'third-party-licences.txt';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

interface Loaded {
  /** HTML pages by their name, such as `index.html`. */
  pages: ReadonlyMap<string, string>;
  assets: ReadonlyMap<string, StaticFile>;
  licences: StaticFile | undefined;
}

/** Provides the files of the built console from memory, so that no path of a request reaches the file system. */
@Injectable()
export class ConsoleFiles {
  /** Reads the files with the first request, because most processes are never asked for them. */
  readonly load: () => Promise<Loaded>;

  constructor({ folder }: ConsoleSettings) {
    this.load = loadedOnce(() => load(folder));
  }
}

async function load(folder: string): Promise<Loaded> {
  const pages = new Map<string, string>();
  const assets = new Map<string, StaticFile>();
  let licences: StaticFile | undefined;
  for (const path of await filesIn(folder)) {
    const name = relative(folder, path).split(sep).join('/');
    const mediaType = mediaTypes[extname(name)];
    if (name.endsWith('.html')) pages.set(name, await readFile(path, 'utf8'));
    else if (mediaType && name === licencesFile) licences = new StaticFile(mediaType, await readFile(path), 'no-cache');
    else if (mediaType && name.startsWith('assets/'))
      assets.set(name.slice('assets/'.length), new StaticFile(mediaType, await readFile(path), immutable));
  }
  return { pages, assets, licences };
}

/** Returns no files if the console is not built, as in a process of tests. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
