import { create } from 'qrcode/lib/core/qrcode';
import { DomainError } from '../../shared/domain-error';
import type { Color } from './color';

export type ErrorCorrection = 'L' | 'M' | 'Q' | 'H';

export interface QrCodeStyle {
  /** Width and height in pixels. */
  size: number;
  /** Quiet zone in modules; scanners expect 4 (ISO/IEC 18004). */
  margin: number;
  errorCorrection: ErrorCorrection;
  color: Color;
  background: Color;
}

/** A square of modules and its layout in pixels. */
export interface QrCode {
  /** Modules per side, without the margin. */
  modules: number;
  isDark: (row: number, column: number) => boolean;
  style: QrCodeStyle;
  /** Pixels per module, a whole number, so that every edge is sharp. */
  scale: number;
  /** Pixels before the first module: the margin and half of the remainder. */
  offset: number;
}

/** Reports an image with fewer pixels than the code with its margin has modules. */
export class QrCodeTooSmall extends DomainError {
  readonly code = 'INVALID_INPUT';

  constructor(needed: number) {
    const message = `size must be at least ${needed} pixels for this link with this margin and error correction`;
    super(message);
    this.details = [{ code: 'too_small', path: ['size'], message }];
  }

  override readonly details: unknown;
}

/**
 * Lays out the QR code of `text`.
 * @throws QrCodeTooSmall if a module gets less than one pixel
 */
export function drawQrCode(text: string, style: QrCodeStyle): QrCode {
  const matrix = create(text, { errorCorrectionLevel: style.errorCorrection }).modules;
  const side = matrix.size + 2 * style.margin;
  const scale = Math.floor(style.size / side);
  if (scale < 1) throw new QrCodeTooSmall(side);
  return {
    modules: matrix.size,
    isDark: (row, column) => matrix.get(row, column) === 1,
    style,
    scale,
    offset: Math.floor((style.size - matrix.size * scale) / 2),
  };
}
