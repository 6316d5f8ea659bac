import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** The last record of a ZIP archive, with a comment of at most 65,535 bytes. */
const endRecord = { signature: Buffer.from('PK\x05\x06', 'latin1'), maxBytes: 22 + 65_535 };

const footer = { magic: 'APK Sig Block 42', bytes: 24 };
const maxBlockBytes = 5_000_000;

/** Blocks of the signature schemes 2 and 3, which have the same form up to the certificates. */
const schemes = [0x7109871a, 0xf05368c0];

/**
 * Reads the SHA-256 fingerprints of the signing certificates in the APK Signing Block. Returns none for an `.apk` without one.
 * https://source.android.com/docs/security/features/apksigning/v2
 */
export async function apkFingerprints(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat();
  const end = await read(file, Math.max(0, size - endRecord.maxBytes), Math.min(size, endRecord.maxBytes));
  const directory = end.readUInt32LE(end.lastIndexOf(endRecord.signature) + 16);
  const foot = await read(file, directory - footer.bytes, footer.bytes);
  if (foot.toString('latin1', 8) !== footer.magic) return [];
  const length = Number(foot.readBigUInt64LE());
  if (length > maxBlockBytes) throw new Error('its signing block is too large');
  const block = await read(file, directory - length, length - footer.bytes);
  const fingerprints = new Set<string>();
  for (let at = 0; at + 12 <= block.length;) {
    const bytes = Number(block.readBigUInt64LE(at));
    if (schemes.includes(block.readUInt32LE(at + 8)))
      for (const signer of items(item(block.subarray(at + 12, at + 8 + bytes))))
        fingerprints.add(fingerprintOf(signer));
    at += 8 + bytes;
  }
  return [...fingerprints];
}

/** Returns the fingerprint of the first certificate, which is that of the signer. The digests of the content precede it. */
function fingerprintOf(signer: Buffer): string {
  const signed = item(signer);
  const certificate = item(item(signed.subarray(4 + item(signed).length)));
  const digest = createHash('sha256').update(certificate).digest('hex').toUpperCase();
  return digest.match(/../g)!.join(':');
}

/** Returns the first item of a list, each of which begins with its length. */
const item = (list: Buffer): Buffer => list.subarray(4, 4 + list.readUInt32LE());

function items(list: Buffer): Buffer[] {
  const all: Buffer[] = [];
  for (let at = 0; at < list.length; at += 4 + all.at(-1)!.length) all.push(item(list.subarray(at)));
  return all;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0 || length < 0) throw new RangeError('outside the file');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
