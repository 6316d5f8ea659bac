import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import type jsQR from 'jsqr';
import { PNG } from 'pngjs';

// jsQR runs in the main context, because globals such as Math are ten times slower in a VM context.
const scanner = { exports: {} as { default: typeof jsQR } };
const source = readFileSync(require.resolve('jsqr'), 'utf8');
(runInThisContext(`(function (module, exports) {${source}\n})`) as (module: object, exports: object) => void)(
  scanner,
  scanner.exports,
);

/** RGBA pixels, row by row. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

export function pictureOfPng(bytes: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(bytes);
  return { width, height, data: new Uint8ClampedArray(data) };
}

/**
 * Draws an SVG that consists of paths of rectangles.
 * @param pixelsPerUnit replaces the scale that the SVG declares
 * @throws Error if the SVG contains anything else
 */
export function pictureOfSvg(svg: string, pixelsPerUnit?: number): Picture {
  const [, width, height, side] =
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="(\d+)" height="(\d+)" viewBox="0 0 (\d+) \3"/.exec(svg) ??
    [];
  if (width === undefined || width !== height)
    throw new Error(`The SVG has an unexpected header: ${svg.slice(0, 200)}`);
  const scale = pixelsPerUnit ?? Number(width) / Number(side);
  const size = Math.round(scale * Number(side));
  const pixels = new Uint32Array(size * size);
  for (const [, fill, d] of svg.matchAll(/<path fill="#([0-9a-f]{6})" d="([^"]*)"\/>/g)) {
    const rectangles = [...d!.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\3z/g)];
    if (rectangles.map(([text]) => text).join('') !== d)
      throw new Error(`The path contains more than rectangles: ${d!.slice(0, 200)}`);
    for (const [, x, y, wide, high] of rectangles.map((parts) => parts.map(Number))) {
      const [left, top, right, bottom] = [x!, y!, x! + wide!, y! + high!].map((at) => Math.round(at * scale));
      for (let row = top!; row < bottom!; row++) pixels.fill(pixelOf(fill!), row * size + left!, row * size + right!);
    }
  }
  return { width: size, height: size, data: new Uint8ClampedArray(pixels.buffer) };
}

/** Reads the text of a QR code, with a second try on the enlarged picture. Returns null if there is no code. */
export const readQrCode = (picture: Picture): string | null => scan(picture) ?? scan(enlarged(picture, 3));

function enlarged(picture: Picture, times: number): Picture {
  const [width, height] = [picture.width * times, picture.height * times];
  const from = pixelsOf(picture);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = from[Math.floor(y / times) * picture.width + Math.floor(x / times)]!;
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) };
}

/** Scans the picture on a white page. */
function scan(picture: Picture): string | null {
  const border = 24;
  const width = picture.width + 2 * border;
  const height = picture.height + 2 * border;
  const page = new Uint32Array(width * height).fill(pixelOf('ffffff'));
  const rows = pixelsOf(picture);
  for (let y = 0; y < picture.height; y++)
    page.set(rows.subarray(y * picture.width, (y + 1) * picture.width), (y + border) * width + border);
  const data = new Uint8ClampedArray(page.buffer);
  return scanner.exports.default(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null;
}

/** Returns the sorted colours of the picture as six hex digits each. */
export const colorsOf = (picture: Picture): string[] =>
  [...new Set(pixelsOf(picture))].map((pixel) => colorOf(pixel)).sort();

/** Returns the number of pixels around the area with the colour: left, top, right, bottom. */
export function quietZoneOf(picture: Picture, color: string): number[] {
  const { width, height } = picture;
  const pixels = pixelsOf(picture);
  const wanted = pixelOf(color);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (pixels[y * width + x] !== wanted) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
  return [left, top, width - 1 - right, height - 1 - bottom];
}

// Pixels are 32-bit numbers in native byte order, because they are about 100 times faster than four bytes each.
const pixelsOf = ({ data }: Picture): Uint32Array => new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
const pixelOf = (color: string): number =>
  new Uint32Array(Uint8Array.from([...Buffer.from(color, 'hex'), 255]).buffer)[0]!;
const colorOf = (pixel: number): string => Buffer.from(Uint32Array.of(pixel).buffer).toString('hex', 0, 3);
