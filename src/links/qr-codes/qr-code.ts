import { DomainError } from '../../shared/domain-error';
import type { Color } from './color';
import { minWidthMm, type QrShape } from './qr-layout';
import { qrMatrix } from './qr-matrix';

export interface QrCodeStyle extends QrShape {
  /** Width in pixels, unless it has one in millimetres. */
  size: number;
  /** Width for print; null for the screen. */
  widthMm: number | null;
  color: Color;
  background: Color;
}

/** A square of modules and its layout in pixels. */
export interface QrCode {
  /** Modules per side, without the margin. */
  modules: number;
  /** Also reads places outside of the square, which are light. */
  isDark: (row: number, column: number) => boolean;
  style: QrCodeStyle;
  /** Pixels per side. */
  size: number;
  /** Pixels per module, a whole number, so that every edge is sharp. */
  scale: number;
  /** Pixels before the first module: the margin and half of the remainder. */
  offset: number;
}

/** Resolution of pictures for print. */
export const dotsPerInch = 300;
const mmPerInch = 25.4;

/** Reports an image that is too small for scanners, or has fewer pixels than modules. */
export class QrCodeTooSmall extends DomainError {
  readonly code = 'INVALID_INPUT';

  constructor(field: 'size' | 'width_mm', needed: number) {
    const unit = field === 'size' ? 'pixels' : 'mm';
    const message = `${field} must be at least ${needed} ${unit} for this link with this margin and error correction`;
    super(message);
    this.details = [{ code: 'too_small', path: [field], message }];
  }

  override readonly details: unknown;
}

/** @throws QrCodeTooSmall if phones cannot read the print at arm's length */
export function requireReadableWidth(text: string, style: QrCodeStyle, widthMm = style.widthMm): void {
  if (widthMm === null) return;
  const needed = minWidthMm(text, style);
  if (widthMm < needed) throw new QrCodeTooSmall('width_mm', needed);
}

/**
 * Lays out the QR code of `text`, without its frame.
 * @throws QrCodeTooSmall if a module gets less than one pixel
 */
export function drawQrCode(text: string, style: QrCodeStyle): QrCode {
  const { widthMm, margin } = style;
  const size = widthMm === null ? style.size : Math.round((widthMm / mmPerInch) * dotsPerInch);
  const matrix = qrMatrix(text, style.errorCorrection);
  const side = matrix.size + 2 * margin;
  const scale = Math.floor(size / side);
  if (scale < 1) throw new QrCodeTooSmall('size', side);
  const offset = Math.floor((size - matrix.size * scale) / 2);
  return { modules: matrix.size, isDark: matrix.isDark, style, size, scale, offset };
}
