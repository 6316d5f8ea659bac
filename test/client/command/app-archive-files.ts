import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

export interface Entry {
  name: string;
  content: Buffer;
  /** Unix attributes; those of a file by default. */
  mode?: number;
  /** The size that the archive states, if it is not that of the content. */
  statedSize?: number;
  /** General purpose flags besides that of UTF-8. */
  flags?: number;
  method?: number;
}

function partsOf(entries: readonly Entry[]): { bodies: Buffer; directory: Buffer } {
  const bodies: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100644, statedSize = content.length, flags = 0, method = 8 } of entries) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800 | flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(statedSize, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE((mode << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    list.push(Buffer.from('PK\x01\x02\x14\x03'), common, place, Buffer.from(name));
    bodies.push(body);
    offset += body.length;
  }
  return { bodies: Buffer.concat(bodies), directory: Buffer.concat(list) };
}

/** Packs entries as a ZIP archive, hostile ones included. `before` stands between the entries and their list, as signatures do. */
export function zipArchive(entries: readonly Entry[], before: Buffer = Buffer.alloc(0)): Buffer {
  const { bodies, directory } = partsOf(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(bodies.length + before.length, 12);
  return Buffer.concat([bodies, before, directory, Buffer.from('PK\x05\x06'), end]);
}

/**
 * Packs entries as a ZIP64 archive.
 * @param times repeats the list
 * @param count states another number of entries
 */
export function zip64Archive(entries: readonly Entry[], times = 1, count = entries.length * times): Buffer {
  const { bodies, directory } = partsOf(entries);
  const list = Buffer.alloc(directory.length * times, directory);
  const record = Buffer.alloc(52);
  record.writeBigUInt64LE(44n);
  record.writeBigUInt64LE(BigInt(count), 20);
  record.writeBigUInt64LE(BigInt(count), 28);
  record.writeBigUInt64LE(BigInt(list.length), 36);
  record.writeBigUInt64LE(BigInt(bodies.length), 44);
  const locator = Buffer.alloc(16);
  locator.writeBigUInt64LE(BigInt(bodies.length + list.length), 4);
  locator.writeUInt32LE(1, 12);
  const end = Buffer.concat([Buffer.alloc(4), Buffer.alloc(12, 0xff), Buffer.alloc(2)]);
  const signed = (type: string, content: Buffer) => Buffer.concat([Buffer.from(`PK${type}`), content]);
  const ends = [signed('\x06\x06', record), signed('\x06\x07', locator), signed('\x05\x06', end)];
  return Buffer.concat([bodies, list, ...ends]);
}

/**
 * The manifest that `aapt` writes for an app `com.example.shop` 1.2.3. A verified filter has `https://go.example.com/shop/`, and
 * another one has `shop://unverified`.
 */
export const manifest = inflateRawSync(
  Buffer.from(
    'lZTPTtRQFMZ/p2WG4f+Ag4IMOxOIxo7gBo0Lg1slJCaubWYK0zBMm2kh6Mqwcuna+ADGByA+gCsXPoNPwBOYjNwzt7Q0kOhNJrf3m/Od+53zndalRloFoUnPhVXy9anwfBd4DhwD' +
      'pxfnz8A34Az4BfwGtgSeCewInAqcCfwUOBf4IzDtQMMBz4FtB3Yd6Dvw3oGPDnx14LsDPxyY4piAAQkhEX128DkkAOZpE3FITEiPgNd0OODNlWhY/oeoF0R0COhf5h4rPE/ic0RK' +
      'ZFkhe7wDqiS06RJccrpEJKTKifFJ6bLLgIA9Qk6AcXz6dBgQEdK56N19uqSkxDylRauQ0yfBK8V7tpoWPjEHtDR7oueredHbjIo2B/jsq8YlYnqqbI+IAYdsc6Sd6dzQk//h5N7U' +
      'VH9fexXYntStdo+AE42M1RGPRDsXAxU28NjE47F2eINHePYHDps8wcyEqd6wQ9qqLHO7pvWa8zEhqfpUweMVPqFGzOieqtspD9WZnp4H6mFH8/nKy5xJgFn2ia7RPqrJaG1d1tHS' +
      'THlVkxzRt3Mc6o2BevRBaqwDTUdkUBFJKiIuIudjImuIrCPyABGkzpLWD8PhcFgDJsxZ6nwp4GbNAg0aVO0MTNi9rt3BrVtM8lz11SyfvlWjuHn7/xQwZ7E5i00DCyNMuQabKXGN' +
      'tnuAW9B2y2rLlonZ0l7lMQ0bIwX9Jseizb1Y4FUKvNvX8MbyGhfMbnhv1aucd8fy3AKvolM/um/JYlX9loywZYuN2++hwczuWp/K+TN8vKQ361HtmjqKPXpp7ytrdkqaV6yWlYLm' +
      'psWaBR0TN+ibLOnI8KmSPxk+XfI2w2dK8yglPJvfvw==',
    'base64',
  ),
);

/** Returns the manifest with its texts in UTF-8. */
export function utf8Manifest(): Buffer {
  const header = manifest.readUInt16LE(2);
  const size = manifest.readUInt32LE(header + 4);
  const pool = manifest.subarray(header, header + size);
  const start = pool.readUInt32LE(20);
  const offsets: number[] = [];
  let texts = Buffer.alloc(0);
  for (let index = 0; index < pool.readUInt32LE(8); index++) {
    const at = start + pool.readUInt32LE(28 + 4 * index);
    const text = pool.toString('utf16le', at + 2, at + 2 + 2 * pool.readUInt16LE(at));
    offsets.push(texts.length);
    texts = Buffer.concat([texts, Buffer.from([text.length, text.length]), Buffer.from(`${text}\0`)]);
  }
  const fresh = Buffer.alloc(28 + 4 * offsets.length);
  pool.copy(fresh, 0, 0, 28);
  fresh.writeUInt32LE(0x100, 16);
  fresh.writeUInt32LE(fresh.length, 20);
  fresh.writeUInt32LE(fresh.length + texts.length, 4);
  offsets.forEach((offset, index) => fresh.writeUInt32LE(offset, 28 + 4 * index));
  return Buffer.concat([manifest.subarray(0, header), fresh, texts, manifest.subarray(header + size)]);
}

const withLength = (content: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([length, content]);
};

/** Returns a signing block of scheme 2 or 3 with a certificate, and the fingerprint of it. */
export function signingBlock(scheme: 0x7109871a | 0xf05368c0, certificate: Buffer) {
  const signed = Buffer.concat([withLength(Buffer.from('digests')), withLength(withLength(certificate))]);
  const signers = withLength(withLength(withLength(signed)));
  const pair = Buffer.alloc(12);
  pair.writeBigUInt64LE(BigInt(4 + signers.length));
  pair.writeUInt32LE(scheme, 8);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(pair.length + signers.length + 24));
  const block = Buffer.concat([size, pair, signers, size, Buffer.from('APK Sig Block 42')]);
  const digest = createHash('sha256').update(certificate).digest('hex').toUpperCase();
  return { block, fingerprint: digest.match(/../g)!.join(':') };
}

/** `Info.plist` of an app `com.example.shop` 1.2.3 with the program `Shöp`, as Python's `plistlib` writes it. */
export const infoPlist = Buffer.from(
  'YnBsaXN0MDDUAQIDBAUGBwhfEBJDRkJ1bmRsZUV4ZWN1dGFibGVfEBJDRkJ1bmRsZUlkZW50aWZpZXJfEBpDRkJ1bmRsZVNob3J0VmVyc2lvblN0cmluZ1FYZABTAGgA9gBwXxAQ' +
    'Y29tLmV4YW1wbGUuc2hvcFUxLjIuM6IJChAB0QsMUWFBeAgRJjtYWmN2fH+BhIYAAAAAAAABAQAAAAAAAAANAAAAAAAAAAAAAAAAAAAAiA==',
  'base64',
);

/** A binary property list with the same version, and with `applinks:go.example.com`. */
export const binaryEntitlements = Buffer.from(
  'YnBsaXN0MDDSAQIDBF8QGkNGQnVuZGxlU2hvcnRWZXJzaW9uU3RyaW5nXxAmY29tLmFwcGxlLmRldmVsb3Blci5hc3NvY2lhdGVkLWRvbWFpbnNVMS4yLjOiBQZfEBdhcHBsaW5r' +
    'czpnby5leGFtcGxlLmNvbVF4CA0qU1lcdgAAAAAAAAEBAAAAAAAAAAcAAAAAAAAAAAAAAAAAAAB4',
  'base64',
);

export const xmlEntitlements = (host: string): Buffer =>
  Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>' +
      `<array><string>applinks:${host}</string></array></dict></plist>`,
  );

/** Returns a program whose code signature has the entitlements. */
export function signedProgram(entitlements: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(0xfade7171);
  head.writeUInt32BE(8 + entitlements.length, 4);
  const chance = Buffer.from([0xfa, 0xde, 0x71, 0x71, 0, 0, 1, 0]);
  const code = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * at * 31) >> 3));
  return Buffer.concat([code, chance, code, head, entitlements, code]);
}
