import type { Readable } from 'node:stream';

/** The blob of entitlements in a code signature (`CSMAGIC_EMBEDDED_ENTITLEMENTS`), before its length. */
const magic = Buffer.from([0xfa, 0xde, 0x71, 0x71]);
const maxBytes = 200_000;

/** Larger than programs of apps. */
const maxProgramBytes = 1_000_000_000;

/**
 * Returns the entitlements that a program is signed with, as an XML property list; null without them. The program is searched and not
 * parsed, because one for several processors has several signatures.
 */
export async function entitlementsOf(program: Readable): Promise<string | null> {
  let entitlements: string | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of program) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxProgramBytes) throw new Error('the program is too large');
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (;;) {
      const at = rest.indexOf(magic);
      rest = rest.subarray(at < 0 ? Math.max(0, rest.length - magic.length + 1) : at);
      if (at < 0 || rest.length < 13) break;
      const length = rest.readUInt32BE(4);
      const isBlob = length <= maxBytes && rest.toString('latin1', 8, 13) === '<?xml';
      if (isBlob && rest.length < length) break;
      if (isBlob) entitlements = rest.toString('utf8', 8, length);
      rest = rest.subarray(isBlob ? Math.max(13, length) : magic.length);
    }
  }
  return entitlements;
}
