import { type ErrorCorrection, qrMatrix, scannedUrl } from './qr-matrix';

export interface QrDesign {
  /** `#` and six hex digits. */
  color: string;
  background: string;
  isRounded: boolean;
  errorCorrection: ErrorCorrection;
  /** Quiet zone, in modules. */
  margin: number;
  /** A call to action below the code. Empty: no frame. */
  frame: string;
  /** A picture for the middle, as a data URL; null without one. */
  logo: string | null;
  /** Width for print, in millimetres. */
  widthMm: number;
}

export const initialDesign: QrDesign = {
  color: '#000000',
  background: '#ffffff',
  isRounded: false,
  errorCorrection: 'M',
  margin: 4,
  frame: '',
  logo: null,
  widthMm: 50,
};

export const maxFrameLength = 30;

/** The side of the logo as a part of the code. It hides 5 % of the modules, and level H corrects 30 %. */
const logoPart = 0.22;
/** Height of the frame's text, in modules. */
const frameHeight = 7;
const frameWidth = 1;

export interface DrawnQr {
  svg: string;
  /** Width and height in modules. */
  width: number;
  height: number;
}

/** Returns the level that the design needs. A logo hides modules, so it needs the highest one. */
export const levelOf = ({ logo, errorCorrection }: QrDesign): ErrorCorrection =>
  logo === null ? errorCorrection : 'H';

/** Draws the QR code of a link as an SVG with its size in millimetres. */
export function drawQr(url: string, design: QrDesign): DrawnQr {
  const { color, background, margin, frame, logo, widthMm } = design;
  const matrix = qrMatrix(scannedUrl(url), levelOf(design));
  const edge = frame === '' ? 0 : frameWidth;
  const side = matrix.size + 2 * margin;
  const width = side + 2 * edge;
  const height = width + (frame === '' ? 0 : frameHeight);
  const start = margin + edge;
  const hidden = logo === null ? 0 : 2 * Math.ceil((matrix.size * logoPart) / 2) + 1;
  const from = (matrix.size - hidden) / 2;
  const isHidden = (at: number): boolean => at >= from && at < from + hidden;
  const isDark = (row: number, column: number): boolean =>
    matrix.isDark(row, column) && !(isHidden(row) && isHidden(column));
  let path = '';
  for (let row = 0; row < matrix.size; row++)
    for (let column = 0; column < matrix.size; column++)
      if (isDark(row, column))
        path += module(start + column, start + row, design.isRounded, cornersOf(isDark, row, column));
  const rounding = design.isRounded ? ' rx="2"' : '';
  const parts = [
    `<rect width="${width}" height="${height}" fill="${frame === '' ? background : color}"${frame === '' ? '' : rounding}/>`,
    frame !== '' && `<rect x="${edge}" y="${edge}" width="${side}" height="${side}" fill="${background}"/>`,
    `<path fill="${color}" d="${path}"/>`,
    logo !== null && imageOf(logo, start + from + 0.5, hidden - 1),
    frame !== '' && textOf(frame, width, height, background),
  ];
  const heightMm = round((widthMm * height) / width);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthMm}mm" height="${heightMm}mm" viewBox="0 0 ${width} ${height}">` +
    `${parts.filter((part) => part !== false).join('')}</svg>`;
  return { svg, width, height };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Returns which corners of a module have no dark neighbour: top left, top right, bottom right, bottom left. */
const cornersOf = (isDark: (row: number, column: number) => boolean, row: number, column: number): boolean[] => {
  const [up, right, down, left] = [
    isDark(row - 1, column),
    isDark(row, column + 1),
    isDark(row + 1, column),
    isDark(row, column - 1),
  ];
  return [!up && !left, !up && !right, !down && !right, !down && !left];
};

function module(x: number, y: number, isRounded: boolean, corners: boolean[]): string {
  if (!isRounded) return `M${x} ${y}h1v1h-1z`;
  const [a, b, c, d] = corners.map((isFree) => (isFree ? 0.45 : 0));
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
