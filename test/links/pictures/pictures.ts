import { crc32 } from 'node:zlib';
import { PNG } from 'pngjs';

/** Returns a PNG whose pixels are all of one colour. */
export function aPng(width: number, height: number, color: readonly number[] = [200, 30, 60, 255]): Buffer {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at++) png.data[at] = color[at % 4]!;
  return PNG.sync.write(png);
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/** Adds a chunk behind the first one of a PNG. */
export const withChunk = (png: Buffer, name: string, data: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), chunk(name, data), png.subarray(33)]);

/** Returns a small PNG that claims other dimensions. */
export function claiming(width: number, height: number): Buffer {
  const png = aPng(1, 1);
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([png.subarray(0, 8), chunk('IHDR', header), png.subarray(33)]);
}

/** Adds the metadata of a camera to a JPEG: it was turned to the right, and has a text. */
export function turned(jpeg: Buffer): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('private place')]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from('ffe1', 'hex'), length, content, jpeg.subarray(2)]);
}

const webp = (base64: string) => Buffer.from(base64, 'base64');

/** The samples of one pixel with which Google recommends to test browsers. */
export const webps = {
  lossy: webp('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
  lossless: webp('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
  animated: webp(
    'UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA',
  ),
};

const frameOfOnePixel = Buffer.from('ffc0000b080001000101011100', 'hex');

/** Adds bytes behind the first marker of a JPEG. */
export const withStart = (jpeg: Buffer, ...added: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...added, jpeg.subarray(2)]);

export const withTwoFrames = (jpeg: Buffer): Buffer => withStart(jpeg, frameOfOnePixel);

/** Adds a marker to a JPEG. A reader that expects its length there skips 65,534 bytes, and then finds a frame in a comment. */
export function hiding(jpeg: Buffer, marker: string): Buffer {
  const comments = Buffer.alloc(65_555);
  comments.set([0xff, 0xfe, 0, 16]);
  comments.set([0xff, 0xfe, 0xff, 0xff], 18);
  comments.set(frameOfOnePixel, 65_534);
  return withStart(jpeg, Buffer.from(marker, 'hex'), comments);
}
