/** The media types of pictures that can be uploaded. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
type PictureType = (typeof pictureTypes)[number];

/** The properties of a picture that are known before it is decoded. */
export interface PictureHeader {
  type: PictureType;
  width: number;
  height: number;
  isAnimated: boolean;
  /** Whether the end is there. Decoders fill what is missing with grey. */
  isWhole: boolean;
}

/** Segments or chunks that are looked at. A file of a camera has some dozens, and a large PNG has some hundreds. */
const maxParts = 10_000;

/** Returns null if the bytes are no PNG, JPEG or WebP, or end before their dimensions. */
export function readPictureHeader(bytes: Buffer): PictureHeader | null {
  const header = pngHeader(bytes) ?? jpegHeader(bytes) ?? webpHeader(bytes);
  return header && header.width > 0 && header.height > 0 ? header : null;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Chunks that decide the pixels. The others have texts and colour profiles, whose decoded size has no limit. */
const pixelChunks: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

interface PngChunk {
  name: string;
  /** With its length, name and checksum. */
  bytes: Buffer;
}

function* chunksOf(png: Buffer): Generator<PngChunk> {
  let at = pngSignature.length;
  for (let part = 0; part < maxParts && at + 12 <= png.length; part++) {
    const end = at + 12 + png.readUInt32BE(at);
    if (end > png.length) return;
    yield { name: png.toString('latin1', at + 4, at + 8), bytes: png.subarray(at, end) };
    at = end;
  }
}

/** Returns a PNG without texts, profiles and frames. */
export const pixelsOfPng = (png: Buffer): Buffer =>
  Buffer.concat([
    pngSignature,
    ...[...chunksOf(png)].filter(({ name }) => pixelChunks.has(name)).map(({ bytes }) => bytes),
  ]);

/** Reads a PNG (W3C, “Portable Network Graphics”). IHDR comes first, and `acTL` makes it an animation. */
function pngHeader(bytes: Buffer): PictureHeader | null {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return null;
  const chunks = [...chunksOf(bytes)];
  const [first] = chunks;
  if (first?.name !== 'IHDR' || first.bytes.length !== 25) return null;
  const has = (kind: string) => chunks.some(({ name }) => name === kind);
  const [width, height] = [first.bytes.readUInt32BE(8), first.bytes.readUInt32BE(12)];
  return { type: 'image/png', width, height, isAnimated: has('acTL'), isWhole: has('IEND') };
}

/** No other data of a frame has these bytes, because each `ff` in it is escaped. */
const endOfJpeg = Buffer.from('ffd9', 'hex');

/** Markers without a length (ITU-T T.81, B.1.1.3). Decoders continue behind the two bytes, or fail. No encoder writes one before a frame. */
const isWithoutLength = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);

/**
 * Reads a JPEG (ITU-T T.81, B.2). The segment of a frame has the dimensions. C4, C8 and CC are no frames. The decoder refuses a second
 * frame.
 */
function jpegHeader(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  for (let part = 0; part < maxParts && at + 9 <= bytes.length && bytes[at] === 0xff; part++) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++; // a fill byte
      continue;
    }
    if (isWithoutLength(marker)) return null;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: 'image/jpeg', width, height, isAnimated: false, isWhole: bytes.includes(endOfJpeg, at) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Reads a WebP (RFC 9649, section 2). The decoder refuses a canvas that differs from its picture. */
function webpHeader(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null;
  const size = (width: number, height: number, isAnimated = false): PictureHeader => ({
    type: 'image/webp',
    width,
    height,
    isAnimated,
    isWhole: bytes.readUInt32LE(4) + 8 <= bytes.length,
  });
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ') return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (kind !== 'VP8X') return null;
  return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1, (bytes[20]! & 0x02) !== 0);
}
