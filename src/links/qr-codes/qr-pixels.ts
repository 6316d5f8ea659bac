import { cornerRadius, type FreeCorners, type QrLayout } from './qr-layout';
import type { QrLogo } from './qr-logo';

/** Pixels from the background to the modules. */
export const shades = 16;
const darkest = shades - 1;

/** Samples of a pixel per direction, for the edges of rounded modules. */
const samples = 4;

/** The pixels of a PNG. */
export interface Raster {
  /** Row by row, each behind a filter byte. */
  raw: Buffer;
  rowBytes: number;
  bytesPerPixel: number;
  /** Pixels per module. */
  scale: number;
  /** Pixels before the layout: half of the remainder. */
  offset: number;
}

/** Sets a bit for each dark pixel. The rows of pixels of a row of modules are equal. */
export function drawSquares({ modules }: QrLayout, { raw, rowBytes, scale, offset }: Raster): void {
  const topOf = (y: number): number => (offset + y * scale) * rowBytes;
  for (const { x, y } of modules) {
    const left = offset + x * scale;
    for (let at = left; at < left + scale; at++) raw[topOf(y) + 1 + (at >> 3)]! |= 0x80 >> (at & 7);
  }
  for (const y of new Set(modules.map((module) => module.y))) {
    const top = topOf(y);
    for (let row = 1; row < scale; row++) raw.copyWithin(top + row * rowBytes, top, top + rowBytes);
  }
}

/**
 * Copies the pixels of each module from one with the same corners.
 * @param colors red, green and blue of each shade; null to write the shade itself
 */
export function drawModules({ modules }: QrLayout, raster: Raster, isRounded: boolean, colors: Buffer | null): void {
  const { raw, rowBytes, bytesPerPixel, scale, offset } = raster;
  const corner = cornerOf(scale);
  const stamps = new Map<string, Uint8Array>();
  for (const { x, y, corners } of modules) {
    const key = isRounded ? String(corners) : '';
    const stamp = stamps.get(key) ?? colored(stampOf(isRounded ? corners : square, corner, scale), colors);
    stamps.set(key, stamp);
    const length = scale * bytesPerPixel;
    const start = (offset + y * scale) * rowBytes + 1 + (offset + x * scale) * bytesPerPixel;
    for (let row = 0; row < scale; row++)
      raw.set(stamp.subarray(row * length, (row + 1) * length), start + row * rowBytes);
  }
}

const square: FreeCorners = [false, false, false, false];

const colored = (stamp: Uint8Array, colors: Buffer | null): Uint8Array =>
  colors ? Buffer.concat(Array.from(stamp, (shade) => colors.subarray(3 * shade, 3 * shade + 3))) : stamp;

/** Draws the logo in the middle of its square, which has the colour of the background. */
export async function drawLogo({ logo: place }: QrLayout, raster: Raster, logo: QrLogo): Promise<void> {
  const { raw, rowBytes, scale, offset } = raster;
  const side = Math.floor(place!.side * scale);
  const { data, width, height } = await logo.fit(side);
  const start = offset + Math.round(place!.start * scale);
  const [left, top] = [width, height].map((length) => start + Math.floor((side - length) / 2)) as [number, number];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = 4 * (y * width + x);
      raw.set(data.subarray(from, from + 3), (top + y) * rowBytes + 1 + 3 * (left + x));
    }
}

/** Returns a module whose pixels at free corners are as dark as those of the corner. */
function stampOf([topLeft, topRight, bottomRight, bottomLeft]: FreeCorners, corner: Uint8Array, scale: number) {
  const half = Math.ceil(scale / 2);
  return Uint8Array.from({ length: scale ** 2 }, (_, at) => {
    const [x, y] = [at % scale, Math.floor(at / scale)];
    const [isLeft, isTop] = [x < half, y < half];
    const isFree = isTop ? (isLeft ? topLeft : topRight) : isLeft ? bottomLeft : bottomRight;
    return isFree ? corner[(isTop ? y : scale - 1 - y) * half + (isLeft ? x : scale - 1 - x)]! : darkest;
  });
}

/** Draws the quarter of a module with a free top left corner: how dark its pixels are. */
function cornerOf(scale: number): Uint8Array {
  const half = Math.ceil(scale / 2);
  const isInside = (sampleX: number, sampleY: number): boolean => {
    const [dx, dy] = [sampleX, sampleY].map((at) => cornerRadius - (at + 0.5) / samples / scale) as [number, number];
    return dx <= 0 || dy <= 0 || dx ** 2 + dy ** 2 <= cornerRadius ** 2;
  };
  return Uint8Array.from({ length: half ** 2 }, (_, at) => {
    const [x, y] = [(at % half) * samples, Math.floor(at / half) * samples];
    let inside = 0;
    for (let sample = 0; sample < samples ** 2; sample++)
      if (isInside(x + (sample % samples), y + Math.floor(sample / samples))) inside++;
    return Math.round((inside / samples ** 2) * darkest);
  });
}
