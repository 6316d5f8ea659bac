import { Field } from '../kit/field';
import { InvalidInput } from '../../shared/problem';
import { oneOf, wholeNumber } from '../../shared/rule';
import { type Color, color, contrast } from './color';
import type { ErrorCorrection, QrCodeStyle } from './qr-code';

/** Below this a scanner cannot tell dark from light (docs/contract.md, “QR codes”; WCAG's minimum for graphics). */
const leastContrast = 3;

export class QrCodeQuery {
  @Field(oneOf(['png', 'svg'], 'png'), { description: 'Image format.', optional: true })
  format: 'png' | 'svg';

  @Field(wholeNumber({ minimum: 128, maximum: 2048, default: 512 }), {
    description: 'Width and height in pixels.',
    optional: true,
  })
  size: number;

  @Field(wholeNumber({ minimum: 0, maximum: 16, default: 4 }), {
    description: 'Quiet zone in modules.',
    optional: true,
  })
  margin: number;

  @Field(oneOf(['L', 'M', 'Q', 'H'], 'M'), {
    description: 'Error correction level: 7, 15, 25 or 30 %.',
    optional: true,
  })
  error_correction: ErrorCorrection;

  @Field(color('000000'), { description: 'Colour of the modules, six hex digits.', example: '1a2b3c', optional: true })
  color: Color;

  @Field(color('ffffff'), {
    description: 'Colour behind them, six hex digits. Refused when the contrast is under 3:1.',
    example: 'ffffff',
    optional: true,
  })
  background: Color;

  /** @throws InvalidInput when the colours cannot be told apart */
  static styleOf(query: QrCodeQuery): QrCodeStyle {
    if (contrast(query.color, query.background) < leastContrast)
      throw InvalidInput.because(
        ['color', 'background'].map((field) => ({
          code: 'invalid_format',
          path: [field],
          message: `${field}: the contrast of color and background must be at least ${leastContrast}:1 to be scanned`,
        })),
      );
    const { size, margin, error_correction: errorCorrection, background } = query;
    return { size, margin, errorCorrection, color: query.color, background };
  }
}
