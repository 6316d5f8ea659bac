import { DomainError } from '../../shared/domain-error';
import type { Color } from './color';
import { minWidthMm, type QrLayout, type QrShape } from './qr-layout';

export interface QrCodeStyle extends QrShape {
  /** Width in pixels, unless it has one in millimetres. */
  size: number;
  /** Width for print; null for the screen. */
  widthMm: number | null;
  color: Color;
  background: Color;
}

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
export function requireReadableWidth(layout: QrLayout, widthMm: number): void {
  const needed = minWidthMm(layout);
  if (widthMm < needed) throw new QrCodeTooSmall('width_mm', needed);
}

/** Returns pixels per module, a whole number, so that every edge is sharp. It is 0 if the image has too few pixels. */
export const scaleOf = ({ width }: QrLayout, pixels: number): number => Math.floor(pixels / width);
