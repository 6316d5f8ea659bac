import { type Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildOfExpo } from './app-build-expo.js';
import { buildOfManifest } from './app-build-android.js';
import { buildOfPlist } from './app-build-ios.js';
import type { AppBuild } from './app-build-record.js';
import { reasonOf, UsageFailure } from './failures.js';

/** Files of a build are small. A larger one is another file. */
const maxBytes = 2_000_000;

/** The files that describe a build, by the end of their names. */
const readers: [name: RegExp, read: (text: string, file: string) => AppBuild[]][] = [
  [/^app\.json$/, buildOfExpo],
  [/\.(?:entitlements|plist|xcent)$/, buildOfPlist],
  [/^AndroidManifest\.xml$/, buildOfManifest],
];

const isRead = (name: string): boolean => readers.some(([pattern]) => pattern.test(name));

/**
 * Reads `app.json` of Expo, entitlements, property lists and manifests, or a folder with such files, such as an unpacked `.ipa`.
 * Links in the file system are not followed.
 * @throws UsageFailure if a file is not one of these, or names no host
 */
export async function readAppBuilds(paths: readonly string[]): Promise<AppBuild[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  if (files.length === 0)
    throw new UsageFailure(
      'No app.json, *.entitlements, *.plist or AndroidManifest.xml was found; name one with --from.',
    );
  const builds: AppBuild[] = [];
  for (const file of files) {
    const [, read] = readers.find(([pattern]) => pattern.test(basename(file)))!;
    builds.push(...read(await textOf(file), file));
  }
  const merged = (['ios', 'android'] as const).flatMap((platform) => merge(platform, builds));
  if (merged.length === 0) throw new UsageFailure('The files name no host that an app opens.');
  return merged;
}

/** Joins what several files say about a platform: hosts of the entitlements, and the version of `Info.plist`. */
function merge(platform: AppBuild['platform'], builds: readonly AppBuild[]): AppBuild[] {
  const own = builds.filter((build) => build.platform === platform);
  const hosts = [...new Set(own.flatMap((build) => build.hosts))];
  if (hosts.length === 0) return [];
  const opening = own.filter((build) => build.hosts.length > 0);
  const paths = opening.some((build) => build.paths === null)
    ? null
    : [...new Set(opening.flatMap((build) => build.paths ?? []))];
  const first = (values: (string | null)[]) => values.find((value) => value !== null) ?? null;
  return [
    {
      platform,
      version: first(own.map((build) => build.version)),
      identifier: first(own.map((build) => build.identifier)),
      hosts,
      paths,
    },
  ];
}

/** Returns the file, or the files in a folder: in itself, and in `Payload/NAME.app` of an `.ipa`. */
async function filesOf(path: string): Promise<string[]> {
  try {
    const file = await stat(path);
    if (!file.isDirectory()) {
      if (isRead(basename(path))) return [path];
      throw new Error('it is no app.json, *.entitlements, *.plist or AndroidManifest.xml');
    }
    const apps = (await entriesOf(join(path, 'Payload'))).filter((entry) => entry.isDirectory());
    const folders = [path, ...apps.map(({ name }) => join(path, 'Payload', name))];
    const lists = await Promise.all(
      folders.map(async (folder) =>
        (await entriesOf(folder))
          .filter((entry) => entry.isFile() && isRead(entry.name))
          .map(({ name }) => join(folder, name)),
      ),
    );
    return lists.flat();
  } catch (error) {
    throw new UsageFailure(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function textOf(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > maxBytes) throw new UsageFailure(`${file} has more than ${maxBytes} bytes.`);
  const bytes = await readFile(file);
  if (bytes.subarray(0, 6).toString('latin1') === 'bplist' || bytes.includes(0))
    throw new UsageFailure(
      `${file} is binary; convert it with plutil -convert xml1, or decode the .apk with apktool, or name a source file.`,
    );
  return bytes.toString('utf8');
}
