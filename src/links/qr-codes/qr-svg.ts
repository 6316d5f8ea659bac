import { cornerRadius, frameHeight, type FreeCorners, layOut, type QrShape } from './qr-layout';

export interface SvgDesign extends QrShape {
  /** `#` and six hex digits. */
  color: string;
  background: string;
  /** A picture for the middle, as a data URL; null without one. */
  logo: string | null;
}

export interface DrawnQr {
  svg: string;
  /** Width and height in modules. */
  width: number;
  height: number;
}

/**
 * Draws a QR code as an SVG. The console and the service share it.
 * @param printedWidth width with its unit, such as 50 mm
 */
export function qrSvg(text: string, design: SvgDesign, [printedWidth, unit]: [number, 'mm' | '']): DrawnQr {
  const { color, background, frame, logo } = design;
  const layout = layOut(text, design, logo !== null);
  const { width, height, edge, side } = layout;
  const path = layout.modules.map(({ x, y, corners }) => module(x, y, design.isRounded ? corners : square)).join('');
  const rounding = design.isRounded ? ' rx="2"' : '';
  const parts = [
    `<rect width="${width}" height="${height}" fill="${frame === '' ? background : color}"${frame === '' ? '' : rounding}/>`,
    frame !== '' && `<rect x="${edge}" y="${edge}" width="${side}" height="${side}" fill="${background}"/>`,
    `<path fill="${color}" d="${path}"/>`,
    layout.logo && imageOf(logo!, layout.logo.start, layout.logo.side),
    frame !== '' && textOf(frame, width, height, background),
  ];
  const printedHeight = round((printedWidth * height) / width);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${printedWidth}${unit}" height="${printedHeight}${unit}" viewBox="0 0 ${width} ${height}">` +
    `${parts.filter((part) => part !== false && part !== null).join('')}</svg>`;
  return { svg, width, height };
}

const round = (value: number): number => Math.round(value * 100) / 100;
const square: FreeCorners = [false, false, false, false];

function module(x: number, y: number, corners: FreeCorners): string {
  if (corners === square) return `M${x} ${y}h1v1h-1z`;
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
