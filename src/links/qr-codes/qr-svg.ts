import { cornerRadius, frameHeight, type QrLayout, type QrShape } from './qr-layout';

export interface SvgDesign extends QrShape {
  /** `#` and six hex digits. */
  color: string;
  background: string;
  /** A picture for the middle, as a data URL; null without one. */
  logo: string | null;
}

/** A width with its unit. An SVG without a unit has pixels. */
export type SvgWidth = readonly [width: number, unit: 'mm' | ''];

/** Draws a QR code as an SVG. The console and the service share it. */
export function svgOf(layout: QrLayout, design: SvgDesign, [printedWidth, unit]: SvgWidth): string {
  const { color, background, frame, logo, isRounded } = design;
  const { width, height, edge, side, modules } = layout;
  const rounding = isRounded ? ' rx="2"' : '';
  const parts = [
    frame === '' && `<path fill="${background}" d="${run(0, 0, width, height)}"/>`,
    frame !== '' && `<rect width="${width}" height="${height}" fill="${color}"${rounding}/>`,
    frame !== '' && `<rect x="${edge}" y="${edge}" width="${side}" height="${side}" fill="${background}"/>`,
    `<path fill="${color}" d="${isRounded ? modules.map(rounded).join('') : runs(modules)}"/>`,
    layout.logo && imageOf(logo!, layout.logo.start, layout.logo.side),
    frame !== '' && textOf(frame, width, height, background),
  ];
  const printedHeight = round((printedWidth * height) / width);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${printedWidth}${unit}" height="${printedHeight}${unit}" viewBox="0 0 ${width} ${height}"` +
    `${isRounded ? '' : ' shape-rendering="crispEdges"'}>${parts.filter((part) => part !== false && part !== null).join('')}</svg>`
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;

const run = (x: number, y: number, width: number, height = 1): string => `M${x} ${y}h${width}v${height}h-${width}z`;

/** Draws a rectangle for each run of modules in a row. */
function runs(modules: QrLayout['modules']): string {
  let path = '';
  let length = 1;
  for (const [at, { x, y }] of modules.entries()) {
    const next = modules[at + 1];
    if (next?.y === y && next.x === x + 1) {
      length++;
      continue;
    }
    path += run(x + 1 - length, y, length);
    length = 1;
  }
  return path;
}

function rounded({ x, y, corners }: QrLayout['modules'][number]): string {
  const [a, b, c, d] = corners.map((isFree) => (isFree ? cornerRadius : 0));
  const arc = (r: number, dx: number, dy: number): string => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${dx} ${dy}`);
  return (
    `M${x + a!} ${y}h${round(1 - a! - b!)}${arc(b!, b!, b!)}v${round(1 - b! - c!)}${arc(c!, -c!, c!)}` +
    `h${round(c! + d! - 1)}${arc(d!, -d!, -d!)}v${round(d! + a! - 1)}${arc(a!, a!, -a!)}z`
  );
}

const imageOf = (logo: string, at: number, side: number): string =>
  `<image href="${logo}" x="${at}" y="${at}" width="${side}" height="${side}" preserveAspectRatio="xMidYMid meet"/>`;

function textOf(frame: string, width: number, height: number, color: string): string {
  // Letters of a sans-serif font are 0.6 of its size wide on average, and wide ones are squeezed.
  const size = round(Math.min(frameHeight * 0.6, (width - 4) / (frame.length * 0.62)));
  const text = frame.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const fit =
    frame.length * size * 0.62 > width - 6 ? ` textLength="${width - 4}" lengthAdjust="spacingAndGlyphs"` : '';
  return (
    `<text x="${width / 2}" y="${round(height - frameHeight / 2 + size * 0.3)}" font-family="Arial, Helvetica, sans-serif" ` +
    `font-weight="700" font-size="${size}" text-anchor="middle" fill="${color}"${fit}>${text}</text>`
  );
}
