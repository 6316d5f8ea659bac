import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readAppBuilds } from '../../../clients/typescript/src/command/app-build';
import {
  binaryEntitlements,
  type Entry,
  infoPlist,
  manifest,
  signedProgram,
  signingBlock,
  utf8Manifest,
  xmlEntitlements,
  zip64Archive,
  zipArchive,
} from './app-archive-files';
import { aFolder } from './folder';

const folder = aFolder();

function write(name: string, content: Buffer): string {
  writeFileSync(folder.file(name), content);
  return folder.file(name);
}

const app = 'Payload/Shop.app';
const certificate = Buffer.from('certificate');
const host = 'go.example.com';
const info: Entry = { name: `${app}/Info.plist`, content: infoPlist };
const program: Entry = { name: `${app}/Shöp`, content: signedProgram(xmlEntitlements(host)) };
const profile = (entitlements: Buffer): Entry => ({
  name: `${app}/embedded.mobileprovision`,
  content: Buffer.concat([Buffer.from([0x30, 0x82, 0, 0]), entitlements, Buffer.from([0, 1])]),
});
const entitlements = (name: string, content: Buffer): Entry => ({ name: `${app}/${name}`, content });
const android: Entry = { name: 'AndroidManifest.xml', content: manifest };

const onIos = { platform: 'ios', version: '1.2.3', identifier: 'com.example.shop', hosts: [host], paths: null };
const onAndroid = { ...onIos, platform: 'android', paths: ['/shop/*'] };

test.each<[what: string, entries: Entry[], build: object]>([
  ['the signature of the program', [info, program], onIos],
  ['expanded entitlements', [info, entitlements('archived-expanded-entitlements.xcent', xmlEntitlements(host))], onIos],
  ['a provisioning profile', [info, profile(xmlEntitlements(host))], onIos],
  [
    'a profile that allows all hosts, and the program',
    [info, profile(Buffer.from('<?xml ?><string>*</string></plist>')), program],
    onIos,
  ],
  ['binary entitlements', [entitlements('shop.entitlements', binaryEntitlements)], { ...onIos, identifier: null }],
  ['an extension beside the app', [info, program, { ...program, name: `${app}/PlugIns/A.appex/Info.plist` }], onIos],
])('an .ipa with %s, packed and unpacked', async (what, entries, build) => {
  expect(await readAppBuilds([write('Shop.ipa', zipArchive(entries))])).toEqual([build]);
  const unpacked = folder.file(what);
  for (const { name, content } of entries) {
    mkdirSync(`${unpacked}/${name.slice(0, name.lastIndexOf('/'))}`, { recursive: true });
    writeFileSync(`${unpacked}/${name}`, content);
  }
  expect(await readAppBuilds([unpacked])).toEqual([build]);
});

test.each([
  ['UTF-16', manifest],
  ['UTF-8', utf8Manifest()],
])('an .apk with texts in %s', async (_, content) => {
  expect(await readAppBuilds([write('shop.APK', zipArchive([{ ...android, content }]))])).toEqual([onAndroid]);
});

test('an .ipa in the form for large archives', async () => {
  expect(await readAppBuilds([write('Large.ipa', zip64Archive([info, program]))])).toEqual([onIos]);
});

test.each([0x7109871a, 0xf05368c0] as const)('an .apk that is signed by the scheme %#x', async (scheme) => {
  const { block, fingerprint } = signingBlock(scheme, certificate);
  const builds = await readAppBuilds([write('signed.apk', zipArchive([android], block))]);
  expect(builds).toEqual([{ ...onAndroid, fingerprints: [fingerprint] }]);
});

/** Makes the host refer to a resource: its type and value are after those of its scheme. */
const referring = Buffer.from(manifest);
const hostAt = referring.indexOf(Buffer.from([8, 0, 0, 3]), referring.indexOf(Buffer.from([8, 0, 0, 0x12])));
referring[referring.indexOf(Buffer.from([8, 0, 0, 3]), hostAt + 1) + 3] = 1;

const large = Buffer.from(Array.from({ length: 2_000_001 }, (_, at) => (at * at * 31) >> 3));
const block = signingBlock(0x7109871a, certificate).block;

const signedBy = (...parts: Buffer[]): Buffer => zipArchive([android], Buffer.concat(parts));

test.each<[what: string, name: string, entries: Entry[], says: string]>([
  ['a bomb', 'a.ipa', [{ ...info, content: Buffer.alloc(1_900_000) }], 'compressed more than 100 times'],
  ['a bomb beside it', 'a.ipa', [info, { ...program, content: Buffer.alloc(9_000_000) }], 'more than 100 times'],
  ['a large file', 'a.ipa', [{ ...info, content: large }], 'has more than 2000000 bytes'],
  ['a file that states a small size', 'a.ipa', [{ ...info, content: large, statedSize: 9000 }], 'too many bytes'],
  ['a path to above', 'a.ipa', [info, { ...program, name: '../Shop' }], 'invalid relative path'],
  ['a path to above with backslashes', 'a.ipa', [info, { ...program, name: '..\\Shop' }], 'invalid relative path'],
  ['an absolute path', 'a.apk', [android, { ...program, name: '/etc/passwd' }], 'absolute path'],
  ['a link', 'a.ipa', [{ ...info, content: Buffer.from('/etc/passwd'), mode: 0o120777 }], 'is a link'],
  ['a link elsewhere', 'a.apk', [android, { name: 'x', content: Buffer.from('y'), mode: 0o120777 }], 'is a link'],
  ['a file twice', 'a.ipa', [info, program, info], 'it has Payload/Shop.app/Info.plist twice'],
  ['an encrypted file', 'a.ipa', [{ ...info, flags: 1 }], 'encrypted'],
  ['an encrypted manifest', 'a.apk', [{ ...android, flags: 0x41 }], 'encryption is not supported'],
  ['another compression', 'a.ipa', [{ ...info, method: 14 }], 'unsupported compression method'],
  ['a program that is stored with another size', 'a.ipa', [{ ...info, method: 0 }], 'size mismatch'],
  ['an archive in the archive', 'a.ipa', [{ name: `${app}/b.apk`, content: zipArchive([android]) }], 'No app.json'],
  ['a damaged property list', 'a.ipa', [{ ...info, content: infoPlist.subarray(0, 99) }], 'Info.plist cannot be read'],
  ['a damaged manifest', 'a.apk', [{ ...android, content: manifest.subarray(0, 400) }], 'it is damaged'],
  ['a host in a resource', 'a.apk', [{ ...android, content: referring }], 'its android:host refers to a resource'],
  ['too many files', 'a.ipa', Array.from({ length: 1001 }, (_, at) => entitlements(`${at}`, infoPlist)), '1000 files'],
])('an archive with %s is refused in one line', async (_, name, entries, says) => {
  const refused = await readAppBuilds([write(name, zipArchive(entries))]).catch((error: Error) => error);
  expect(refused).toMatchObject({ exitCode: 2, message: expect.stringContaining(says) });
  expect((refused as Error).message).not.toContain('\n');
});

test.each<[what: string, content: Buffer, says: string]>([
  ['that is no archive', Buffer.from('PK'), 'signature not found'],
  ['whose list is cut off', zipArchive([android]).subarray(300), 'cannot be read'],
  ['whose signing block is too large', signedBy(Buffer.alloc(8, 9), block.subarray(-16)), 'too large'],
  ['whose signing block is damaged', signedBy(block.subarray(0, 40), block.subarray(64)), 'damaged'],
  ['with 100,001 files', zip64Archive([{ name: 'x', content: Buffer.alloc(0) }], 100_001), 'more than 100000 entries'],
  ['that states more files than it has', zip64Archive([android], 1, 9), 'invalid central directory'],
  ['that states more files than numbers have', zip64Archive([android], 1, 2 ** 60), 'cannot be read'],
])('an .apk %s is refused', async (_, content, says) => {
  await expect(readAppBuilds([write('damaged.apk', content)])).rejects.toThrow(says);
});

test('links in a folder are not followed', async () => {
  const outside = write('outside.plist', xmlEntitlements(host));
  mkdirSync(folder.file('linked'));
  symlinkSync(outside, folder.file('linked/app.entitlements'));
  await expect(readAppBuilds([folder.file('linked')])).rejects.toThrow('No app.json');
});
