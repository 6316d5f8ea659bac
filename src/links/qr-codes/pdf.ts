import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Color } from './color';
import { widthOf, winAnsiOf } from './helvetica-bold';
import type { QrCodeStyle } from './qr-code';
import { cornerRadius, frameHeight, type FreeCorners, type QrLayout } from './qr-layout';
import type { QrLogo } from './qr-logo';

const deflateOffLoop = promisify(deflate);

const pointsPerMm = 72 / 25.4;

/** The handles of a Bézier curve that is nearest to a quarter of a circle, as a part of the radius. */
const roundness = 0.5523;
const frameRadius = 2;

/** Renders the code as a PDF of one page without margins (ISO 32000-1). Readers have the font of the frame. */
export async function toPdf(
  layout: QrLayout,
  style: QrCodeStyle,
  logo: QrLogo | null,
  widthMm: number,
): Promise<Buffer> {
  const { frame, color, background } = style;
  const { width, height, edge, side, modules } = layout;
  const scale = (widthMm * pointsPerMm) / width;
  const box = `[0 0 ${number(width * scale)} ${number(height * scale)}]`;
  const radius = style.isRounded && frame !== '' ? frameRadius : 0;
  const drawing = [
    // The origin is at the bottom.
    `${number(scale)} 0 0 ${number(-scale)} 0 ${number(height * scale)} cm`,
    `${fill(frame === '' ? background : color)} ${rectangle(0, 0, width, height, [radius, radius, radius, radius])} f`,
    frame !== '' && `${fill(background)} ${edge} ${edge} ${side} ${side} re f`,
    fill(color),
    ...modules.map(({ x, y, corners }) => rectangle(x, y, 1, 1, radiiOf(style.isRounded ? corners : []))),
    'f',
    logo && imageOf(logo, layout.logo!),
    frame !== '' && textOf(frame, width, height, background),
  ];
  const content = await deflateOffLoop(drawing.filter((part) => part !== false && part !== null).join('\n'));
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox${box}/Resources<</Font<</F 5 0 R>>${logo ? '/XObject<</L 6 0 R>>' : ''}>>/Contents 4 0 R>>`,
    streamOf('/Filter/FlateDecode', content),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
    ...(logo
      ? [
          streamOf(
            `/Type/XObject/Subtype/Image/Width ${logo.width}/Height ${logo.height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode`,
            logo.jpeg,
          ),
        ]
      : []),
  ]);
}

const streamOf = (entries: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${entries}/Length ${content.length}>>stream\n`), content, Buffer.from('\nendstream')]);

/** Draws the picture in the middle of its square. The matrix turns it upright again. */
function imageOf({ width, height }: QrLogo, { start, side }: { start: number; side: number }): string {
  const [w, h] = [width, height].map((length) => (length / Math.max(width, height)) * side) as [number, number];
  const [x, bottom] = [start + (side - w) / 2, start + (side + h) / 2];
  return `q ${number(w)} 0 0 ${number(-h)} ${number(x)} ${number(bottom)} cm /L Do Q`;
}

const number = (value: number): string => String(Math.round(value * 1000) / 1000);

const fill = (color: Color): string => `${color.map((part) => number(part / 255)).join(' ')} rg`;

const radiiOf = (corners: FreeCorners | []): number[] =>
  Array.from({ length: 4 }, (_, at) => (corners[at] ? cornerRadius : 0));

/** Returns a rectangle with the radii of its corners: top left, top right, bottom right, bottom left. */
function rectangle(x: number, y: number, width: number, height: number, radii: readonly number[]): string {
  if (radii.every((radius) => radius === 0)) return `${x} ${y} ${width} ${height} re`;
  const [right, bottom] = [x + width, y + height];
  // Each corner with the directions of the outline before and after it.
  const corners = [
    [x, y, 0, -1, 1, 0],
    [right, y, 1, 0, 0, 1],
    [right, bottom, 0, 1, -1, 0],
    [x, bottom, -1, 0, 0, -1],
  ] as const;
  const steps = corners.map(([cornerX, cornerY, inX, inY, outX, outY], at) => {
    const radius = radii[at]!;
    const handle = radius * (1 - roundness);
    const place = (distance: number, dx: number, dy: number) =>
      `${number(cornerX + distance * dx)} ${number(cornerY + distance * dy)}`;
    const begin = `${place(radius, -inX, -inY)} ${at === 0 ? 'm' : 'l'}`;
    if (radius === 0) return begin;
    return `${begin} ${place(handle, -inX, -inY)} ${place(handle, outX, outY)} ${place(radius, outX, outY)} c`;
  });
  return `${steps.join(' ')} h`;
}

/** Writes the frame's text in the middle of its line. The matrix turns it upright again. */
function textOf(frame: string, width: number, height: number, color: Color): string {
  const size = Math.min(frameHeight * 0.6, (width - 4) / widthOf(frame));
  const codes = Buffer.from(winAnsiOf(frame) ?? []).toString('hex');
  const x = (width - widthOf(frame) * size) / 2;
  const y = height - frameHeight / 2 + size * 0.3;
  return `${fill(color)} BT /F ${number(size)} Tf 1 0 0 -1 ${number(x)} ${number(y)} Tm <${codes}> Tj ET`;
}

function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const rows: string[] = [];
  let at = parts[0]!.length;
  for (const [index, content] of objects.entries()) {
    rows.push(`${String(at).padStart(10, '0')} 00000 n \n`);
    const object = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(content as Buffer),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(object);
    at += object.length;
  }
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}trailer<</Size ${count}/Root 1 0 R>>\n`;
  return Buffer.concat([...parts, Buffer.from(`${table}startxref\n${at}\n%%EOF\n`)]);
}
