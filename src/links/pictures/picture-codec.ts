import { readFileSync } from 'node:fs';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import { type PictureHeader, pixelsOfPng, readPictureHeader } from './picture-header';

/** The pixels that are decoded, as many as a photograph of a phone has. They take 64 MB, and decoders need as much again. */
export const maxPixels = 16_000_000;

/** The longest side of a stored picture. Networks show 1200 × 630 pixels. */
export const maxSide = 1200;

/** WhatsApp shows no picture that is larger. */
const maxStoredBytes = 600_000;
const qualities = [82, 65, 45] as const;

export type PictureRefusal = 'unknown_type' | 'animated' | 'too_many_pixels' | 'damaged';
export type ConvertedPicture = { refusal: PictureRefusal } | { jpeg: Uint8Array; width: number; height: number };

export interface Pixels {
  /** Red, green, blue and opacity of each pixel. */
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Of the language, but missing in the types of Node. */
declare const WebAssembly: { Module: new (bytes: Uint8Array) => object };

const wasm = (file: string) => new WebAssembly.Module(readFileSync(require.resolve(file)));

/** Load a decoder, whose errors are faults of the service. The loaded one throws if the picture is damaged. */
const decoders: Record<PictureHeader['type'], () => Promise<(bytes: Buffer) => Promise<Pixels>>> = {
  'image/png': async () => {
    await initPngDecoder(wasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
    return (bytes) => decodePng(arrayOf(pixelsOfPng(bytes)));
  },
  'image/jpeg': async () => {
    await initJpegDecoder(wasm('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'));
    // Cameras store photographs lying, and say so in the metadata.
    return (bytes) => decodeJpeg(arrayOf(bytes), { preserveOrientation: true });
  },
  'image/webp': async () => {
    await initWebpDecoder(wasm('@jsquash/webp/codec/dec/webp_dec.wasm'));
    return (bytes) => decodeWebp(arrayOf(bytes));
  },
};

/** Returns bytes that share no buffer with others, because decoders read the whole buffer. */
const arrayOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Decodes a picture of a stranger, and encodes it again as a JPEG without metadata. It runs in a thread (`PictureThread`). */
export async function convertPicture(bytes: Buffer): Promise<ConvertedPicture> {
  const header = readPictureHeader(bytes);
  if (!header) return { refusal: 'unknown_type' };
  if (header.isAnimated) return { refusal: 'animated' };
  if (!header.isWhole) return { refusal: 'damaged' };
  if (header.width * header.height > maxPixels) return { refusal: 'too_many_pixels' };
  const decode = await decoders[header.type]();
  // The packages name types of browsers, which the service does not have.
  const pixels = await decode(bytes).catch(() => null);
  // An orientation exchanges the sides. With another number of pixels, the decoder has read another header than this file.
  if (!pixels || pixels.width * pixels.height !== header.width * header.height) return { refusal: 'damaged' };
  const { width, height, data } = resized(pixels, Math.min(1, maxSide / Math.max(pixels.width, pixels.height)));
  await initJpegEncoder(wasm('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  for (const quality of qualities) {
    const jpeg = new Uint8Array(await encodeJpeg({ data, width, height, colorSpace: 'srgb' }, { quality }));
    if (jpeg.length <= maxStoredBytes || quality === qualities.at(-1)) return { jpeg, width, height };
  }
  throw new Error('unreachable');
}

/** Returns the pixels of a stored picture, the longer side having `side`. It runs in a thread, too. */
export async function fitPicture(jpeg: Buffer, side: number): Promise<Pixels> {
  const pixels = await (await decoders['image/jpeg']())(jpeg);
  return resized(pixels, side / Math.max(pixels.width, pixels.height));
}

/** Scales pixels by the mean of those that each new one covers, at least one, on white. */
function resized({ data, width, height }: Pixels, factor: number): Pixels {
  const [toWidth, toHeight] = [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
  const result = new Uint8ClampedArray(4 * toWidth * toHeight);
  const covered = (at: number, to: number, from: number) => {
    const first = Math.floor((at * from) / to);
    return [first, Math.max(first + 1, Math.floor(((at + 1) * from) / to))] as const;
  };
  for (let y = 0; y < toHeight; y++) {
    const [top, bottom] = covered(y, toHeight, height);
    for (let x = 0; x < toWidth; x++) {
      const [left, right] = covered(x, toWidth, width);
      let [red, green, blue] = [0, 0, 0];
      for (let row = top; row < bottom; row++)
        for (let at = 4 * (row * width + left); at < 4 * (row * width + right); at += 4) {
          const opacity = data[at + 3]! / 255;
          const white = 255 * (1 - opacity);
          red += data[at]! * opacity + white;
          green += data[at + 1]! * opacity + white;
          blue += data[at + 2]! * opacity + white;
        }
      const count = (bottom - top) * (right - left);
      const to = 4 * (y * toWidth + x);
      result[to] = red / count;
      result[to + 1] = green / count;
      result[to + 2] = blue / count;
      result[to + 3] = 255;
    }
  }
  return { data: result, width: toWidth, height: toHeight };
}
