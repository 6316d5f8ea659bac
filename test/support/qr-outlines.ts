import { inflateSync } from 'node:zlib';
import type { Picture } from './qr-reader';

type Point = [x: number, y: number];

interface Fill {
  /** Red, green and blue, from 0 to 255. */
  color: number[];
  polygons: Point[][];
}

/** Draws an SVG of rectangles and of paths with arcs, which become straight. Texts are left out. */
export function pictureOfSvgOutlines(svg: string, pixelsPerUnit: number): Picture {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
  const fills: Fill[] = [];
  for (const [, name, attributes] of svg.matchAll(/<(rect|path) ([^>]*)\/>/g)) {
    const of = (attribute: string) => new RegExp(`(?:^| )${attribute}="([^"]*)"`).exec(attributes!)?.[1];
    const color = [...Buffer.from(of('fill')!.slice(1), 'hex')];
    const [x, y, w, h] = [of('x') ?? 0, of('y') ?? 0, of('width'), of('height')].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    fills.push({ color, polygons: name === 'rect' ? [rectangle(x, y, w, h)] : polygonsOfPath(of('d')!) });
  }
  return pictureOf(width!, height!, fills, pixelsPerUnit);
}

const rectangle = (x: number, y: number, w: number, h: number): Point[] => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];

function polygonsOfPath(d: string): Point[][] {
  const polygons: Point[][] = [];
  for (const [, command, text] of d.matchAll(/([Mhvaz])([^Mhvaz]*)/g)) {
    const numbers = text!.trim().split(/[ ,]+/).map(Number);
    const [x, y] = polygons.at(-1)?.at(-1) ?? [0, 0];
    const [a, b] = numbers as Point;
    if (command === 'M') polygons.push([[a, b]]);
    if (command === 'h') polygons.at(-1)!.push([x + a, y]);
    if (command === 'v') polygons.at(-1)!.push([x, y + a]);
    if (command === 'a') polygons.at(-1)!.push([x + numbers[5]!, y + numbers[6]!]);
  }
  return polygons;
}

/** Draws the page of a PDF in the units of its matrix, without texts. Returns its size in millimetres, too. */
export function pictureOfPdf(pdf: Buffer, pixelsPerUnit: number): { picture: Picture; mm: number[]; text: string } {
  const plain = pdf.toString('latin1');
  const box = /\/MediaBox\[0 0 ([\d.]+) ([\d.]+)\]/.exec(plain)!.slice(1).map(Number);
  const [, length] = /\/Length (\d+)>>stream\n/.exec(plain)!;
  const start = plain.indexOf('stream\n') + 'stream\n'.length;
  const content = inflateSync(pdf.subarray(start, start + Number(length))).toString('latin1');
  const [, scale] = /^([\d.]+) 0 0 -[\d.]+ 0 [\d.]+ cm/.exec(content)!.map(Number);
  const fills: Fill[] = [];
  let color: number[] = [];
  let polygons: Point[][] = [];
  let operands: number[] = [];
  for (const token of content.replace(/BT.*ET/s, '').split(/\s+/)) {
    if (/^-?[\d.]+$/.test(token)) {
      operands.push(Number(token));
      continue;
    }
    const [a, b, c, d, e, f] = operands as [number, number, number, number, number, number];
    if (token === 'rg') color = [a, b, c].map((part) => Math.round(part * 255));
    if (token === 're') polygons.push(rectangle(a, b, c, d));
    if (token === 'm') polygons.push([[a, b]]);
    if (token === 'l') polygons.at(-1)!.push([a, b]);
    if (token === 'c') polygons.at(-1)!.push([(a + c) / 2, (b + d) / 2], [e, f]);
    if (token === 'f') {
      fills.push({ color, polygons });
      polygons = [];
    }
    operands = [];
  }
  const picture = pictureOf(box[0]! / scale!, box[1]! / scale!, fills, pixelsPerUnit);
  const [, codes = ''] = /<([0-9a-f]*)> Tj/.exec(content) ?? [];
  return {
    picture,
    mm: box.map((points) => Math.round((points / 72) * 254) / 10),
    text: Buffer.from(codes, 'hex').toString('latin1'),
  };
}

function pictureOf(unitsWide: number, unitsHigh: number, fills: readonly Fill[], pixelsPerUnit: number): Picture {
  const [width, height] = [unitsWide, unitsHigh].map((units) => Math.round(units * pixelsPerUnit)) as Point;
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (const { color, polygons } of fills)
    for (const polygon of polygons) {
      const [xs, ys] = [0, 1].map((at) => polygon.map((point) => point[at]! * pixelsPerUnit)) as [number[], number[]];
      for (let y = Math.floor(Math.min(...ys)); y < Math.max(...ys); y++)
        for (let x = Math.floor(Math.min(...xs)); x < Math.max(...xs); x++)
          if (isInside(xs, ys, x + 0.5, y + 0.5)) data.set(color, 4 * (y * width + x));
    }
  return { width, height, data };
}

/** Counts the edges that a ray to the right crosses. */
function isInside(xs: readonly number[], ys: readonly number[], x: number, y: number): boolean {
  let crossings = 0;
  for (const [at, y1] of ys.entries()) {
    const next = (at + 1) % ys.length;
    const [x1, x2, y2] = [xs[at]!, xs[next]!, ys[next]!];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) crossings++;
  }
  return crossings % 2 === 1;
}
