import { qrMatrix, type ErrorCorrection } from './qr-matrix';

/** The parts of a design that decide where its modules are. */
export interface QrShape {
  isRounded: boolean;
  errorCorrection: ErrorCorrection;
  /** Quiet zone, in modules. */
  margin: number;
  /** A call to action below the code. Empty: no frame. */
  frame: string;
}

/** Which corners of a module have no dark neighbour: top left, top right, bottom right, bottom left. */
export type FreeCorners = readonly [boolean, boolean, boolean, boolean];

export interface QrLayout {
  /** Width and height in modules, with margin and frame. */
  width: number;
  height: number;
  /** Width of the frame, and of the area inside. */
  edge: number;
  side: number;
  /** The dark modules by their top left corners, row by row. */
  modules: { x: number; y: number; corners: FreeCorners }[];
  /** The square of the logo; null without one. */
  logo: { start: number; side: number } | null;
}

/** Characters of a call to action that stay readable below the code. */
export const maxFrameLength = 30;

/** Height of the frame's text, in modules. */
export const frameHeight = 7;
const frameWidth = 1;

/** The side of the logo as a part of the code. It hides 5 % of the modules, and level H corrects 30 %. */
const logoPart = 0.22;

/** Returns the places of the modules of a QR code. A logo hides those in the middle. */
export function layOut(text: string, { errorCorrection, margin, frame }: QrShape, hasLogo = false): QrLayout {
  const matrix = qrMatrix(text, hasLogo ? 'H' : errorCorrection);
  const edge = frame === '' ? 0 : frameWidth;
  const side = matrix.size + 2 * margin;
  const width = side + 2 * edge;
  const start = margin + edge;
  const hidden = hasLogo ? 2 * Math.ceil((matrix.size * logoPart) / 2) + 1 : 0;
  const from = (matrix.size - hidden) / 2;
  const isHidden = (at: number): boolean => at >= from && at < from + hidden;
  const isDark = (row: number, column: number): boolean =>
    matrix.isDark(row, column) && !(isHidden(row) && isHidden(column));
  const modules: QrLayout['modules'] = [];
  for (let row = 0; row < matrix.size; row++)
    for (let column = 0; column < matrix.size; column++)
      if (isDark(row, column))
        modules.push({ x: start + column, y: start + row, corners: freeCorners(isDark, row, column) });
  return {
    width,
    height: width + (frame === '' ? 0 : frameHeight),
    edge,
    side,
    modules,
    logo: hasLogo ? { start: start + from + 0.5, side: hidden - 1 } : null,
  };
}

function freeCorners(isDark: (row: number, column: number) => boolean, row: number, column: number): FreeCorners {
  const [up, right, down, left] = [
    isDark(row - 1, column),
    isDark(row, column + 1),
    isDark(row + 1, column),
    isDark(row, column - 1),
  ];
  return [!up && !left, !up && !right, !down && !right, !down && !left];
}

/** The radius of a free corner of a rounded module. */
export const cornerRadius = 0.45;

/** The smallest module that phones read at arm's length, in millimetres. */
const minModuleMm = 0.4;

/** Returns the smallest width of a printed design, in whole millimetres. */
export const minWidthMm = ({ width }: QrLayout): number => Math.ceil(width * minModuleMm);
