import { IsQueryChoice, IsQueryInteger } from '../../api-kit/kit/field.decorators';
import type { Problem } from '../../shared/problem';
import { type Color, color, contrast } from './color';
import type { ErrorCorrection, QrCodeStyle } from './qr-code';
import { type FieldOptions, ruleDecorator } from '../../api-kit/kit/rule.decorator';

export const IsColor = (options: FieldOptions & { default: string }) => ruleDecorator(color(options.default))(options);

/** The contrast ratio that scanners need (docs/contract-resources.md, “QR codes”; WCAG's minimum for graphics). */
const minContrast = 3;

export class QrCodeQuery {
  @IsQueryChoice(['png', 'svg'], { default: 'png', description: 'Image format.' })
  format: 'png' | 'svg';

  @IsQueryInteger({ minimum: 128, maximum: 2048, default: 512, description: 'Width and height in pixels.' })
  size: number;

  @IsQueryInteger({ minimum: 0, maximum: 16, default: 4, description: 'Width of the quiet zone, in modules.' })
  margin: number;

  @IsQueryChoice(['L', 'M', 'Q', 'H'], {
    default: 'M',
    description: 'Error correction level. `L`, `M`, `Q` and `H` correct 7, 15, 25 and 30 %.',
  })
  error_correction: ErrorCorrection;

  @IsColor({ default: '000000', description: 'Colour of the modules, in six hex digits.', example: '1a2b3c' })
  color: Color;

  @IsColor({
    default: 'ffffff',
    description: 'Colour of the background, in six hex digits. A contrast of less than 3:1 to `color` is refused.',
    example: 'ffffff',
  })
  background: Color;

  /** Returns problems if the contrast of the colours is below `minContrast`. */
  static problemsAcrossFields({ color, background }: QrCodeQuery): Problem[] {
    if (contrast(color, background) >= minContrast) return [];
    return ['color', 'background'].map((field) => ({
      code: 'invalid_format',
      path: [field],
      message: `${field}: the contrast of color and background must be at least ${minContrast}:1, so that scanners can read the code`,
    }));
  }

  static styleOf(query: QrCodeQuery): QrCodeStyle {
    const { size, margin, error_correction: errorCorrection, background } = query;
    return { size, margin, errorCorrection, color: query.color, background };
  }
}
