import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isArchive, openArchive } from './app-archive.js';
import { buildOfExpo } from './app-build-expo.js';
import { buildOfManifest } from './app-build-android.js';
import { buildOfPlist, programOf } from './app-build-ios.js';
import type { AppBuild } from './app-build-record.js';
import { xmlOfBinaryManifest } from './binary-manifest.js';
import { xmlOfBinaryPlist } from './binary-plist.js';
import { type BuildFile, bytesOf, fileAt, filesInFolder } from './build-file.js';
import { entitlementsOf } from './code-signature.js';
import { Failure, reasonOf, UsageFailure } from './failures.js';

/** The files that describe a build, by the end of their names. */
const readers: [name: RegExp, read: (text: string, file: string) => AppBuild[]][] = [
  [/^app\.json$/, buildOfExpo],
  [/\.(?:entitlements|plist|xcent|mobileprovision)$/, buildOfPlist],
  [/^AndroidManifest\.xml$/, buildOfManifest],
];

const isRead = (name: string): boolean => readers.some(([pattern]) => pattern.test(name));

/**
 * Reads `app.json` of Expo, entitlements, property lists and manifests, folders with such files, and the archives `.ipa` and `.apk`.
 * @throws UsageFailure if a file is not one of these, or names no host
 */
export async function readAppBuilds(paths: readonly string[]): Promise<AppBuild[]> {
  const builds: AppBuild[] = [];
  for (const path of paths) {
    try {
      builds.push(...(await buildsAt(path)));
    } catch (error) {
      throw unreadable(path, error);
    }
  }
  if (builds.length === 0)
    throw new UsageFailure(
      'No app.json, *.entitlements, *.plist or AndroidManifest.xml was found; name one, an .ipa or an .apk with --from.',
    );
  const merged = (['ios', 'android'] as const).flatMap((platform) => merge(platform, builds));
  if (merged.length === 0) throw new UsageFailure('The files name no host that an app opens.');
  return merged;
}

async function buildsAt(path: string): Promise<AppBuild[]> {
  const file = await stat(path);
  if (file.isDirectory()) return buildsOf(await filesInFolder(path));
  if (isArchive(path)) {
    const archive = await openArchive(path);
    try {
      const { fingerprints } = archive;
      const builds = await buildsOf(archive.files);
      return fingerprints.length === 0 ? builds : builds.map((build) => ({ ...build, fingerprints }));
    } finally {
      archive.close();
    }
  }
  if (!isRead(basename(path)))
    throw new Error('the name must be app.json, AndroidManifest.xml, *.entitlements, *.plist, *.ipa or *.apk');
  return buildsOf([fileAt(path, file.size)]);
}

/** Reads the files that describe a build, and the entitlements of the program that an `Info.plist` names. */
async function buildsOf(files: readonly BuildFile[]): Promise<AppBuild[]> {
  const builds: AppBuild[] = [];
  for (const file of files) {
    const [, read] = readers.find(([pattern]) => pattern.test(file.name)) ?? [];
    if (!read) continue;
    const text = textOf(file, await bytesOf(file));
    builds.push(...read(text, file.path));
    const program = file.name === 'Info.plist' ? programOf(text) : null;
    const signed = files.find(({ folder, name }) => folder === file.folder && name === program);
    const entitlements = signed ? await entitlementsOf(await signed.open()) : null;
    if (entitlements !== null) builds.push(...buildOfPlist(entitlements));
  }
  return builds;
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
  const fingerprints = own.flatMap((build) => build.fingerprints ?? []);
  const first = (values: (string | null)[]) => values.find((value) => value !== null) ?? null;
  return [
    {
      platform,
      version: first(own.map((build) => build.version)),
      identifier: first(own.map((build) => build.identifier)),
      hosts,
      paths,
      ...(fingerprints.length > 0 && { fingerprints }),
    },
  ];
}

/** Returns the text of a file, which may be binary. A provisioning profile has its property list inside a signature. */
function textOf({ name, path }: BuildFile, bytes: Buffer): string {
  const convert = (read: (bytes: Buffer) => string) => {
    try {
      return read(bytes);
    } catch (error) {
      throw unreadable(path, error);
    }
  };
  if (bytes.toString('latin1', 0, 6) === 'bplist') return convert(xmlOfBinaryPlist);
  if (name === 'AndroidManifest.xml' && bytes.toString('latin1', 0, 4) === '\x03\0\x08\0')
    return convert(xmlOfBinaryManifest);
  if (name.endsWith('.mobileprovision'))
    return bytes.toString('utf8', bytes.indexOf('<?xml'), bytes.indexOf('</plist>'));
  if (bytes.includes(0)) throw new UsageFailure(`${path} is binary, in a form that is not known.`);
  return bytes.toString('utf8');
}

/** Buffers throw a `RangeError` for an offset outside of them. */
const unreadable = (path: string, error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new UsageFailure(`${path} cannot be read: ${error instanceof RangeError ? 'it is damaged' : reasonOf(error)}`);
