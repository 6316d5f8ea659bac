import { IsQueryBoolean, IsQueryChoice, IsQueryInteger } from '../../api-kit/kit/field.decorators';
import { type FieldOptions, optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import type { Problem } from '../../shared/problem';
import { queryInteger } from '../../shared/rule';
import { text } from '../../shared/text';
import { type Color, contrast, minContrast } from './color';
import { color } from './color-rule';
import { winAnsiOf } from './helvetica-bold';
import type { QrCodeStyle } from './qr-code';
import { defaultWidthMm, type QrFormat, qrFormats } from './qr-image';
import { maxFrameLength } from './qr-layout';
import type { ErrorCorrection } from './qr-matrix';

export const IsColor = (options: FieldOptions & { default: string }) => ruleDecorator(color(options.default))(options);

const IsFrame = ruleDecorator(
  text({ min: 1, max: maxFrameLength, pattern: /^[^\x00-\x1f\x7f]*$/, patternSays: 'have no control characters' }),
);
const IsLogo = ruleDecorator(
  text({
    pattern: /^[A-Za-z0-9_-]{43}$/,
    patternSays: 'be the id of a picture, which has 43 letters, digits, - and _',
  }),
);
const IsWidth = ruleDecorator(queryInteger({ minimum: 10, maximum: 300 }));

/** Its pixels have three bytes, and are at most as many as those of the largest `size`. */
const maxLogoPngMm = 173;

export class QrCodeQuery {
  @IsQueryChoice(qrFormats, {
    default: 'png',
    description: 'Image format. A `pdf` is a page for print, without margins.',
    example: 'svg',
  })
  format: QrFormat;

  @IsQueryInteger({ minimum: 128, maximum: 2048, default: 512, description: 'Width in pixels.' })
  size: number;

  @IsWidth(
    optionally(
      `Width for print in millimetres, in place of \`size\`. A PNG gets 300 dpi. Default of a PDF: ${defaultWidthMm}. Less than 0.4 mm for each ` +
        'module is refused, because phones do not read it.',
      50,
    ),
  )
  width_mm?: number;

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

  @IsQueryBoolean({ default: false, description: 'Whether modules without a dark neighbour have round corners.' })
  rounded: boolean;

  @IsFrame(
    optionally(
      'Call to action below the code, in a frame of the colour `color`. Only with `svg` and `pdf`, because a PNG would need a font. ' +
        'A PDF has the characters of Western European languages only.',
      'Scan me',
    ),
  )
  frame?: string;

  @IsLogo(
    optionally(
      'Picture in the middle of the code: the `id` of an uploaded picture of the project. Sets `error_correction` to `H`.',
      'qL8R4QIcQ_ZsRqOAbeRfcZhilN_MksRtDaErMA0BAAE',
    ),
  )
  logo?: string;

  /** Returns problems if scanners cannot read the code, or the format cannot have the frame. */
  static problemsAcrossFields({
    color,
    background,
    format,
    frame,
    logo,
    width_mm: widthMm = 0,
  }: QrCodeQuery): Problem[] {
    const refuse = (field: string, message: string): Problem => ({
      code: 'invalid_format',
      path: [field],
      message: `${field}${message}`,
    });
    const contrasts = `: the contrast of color and background must be at least ${minContrast}:1, so that scanners can read the code`;
    return [
      ...(contrast(color, background) < minContrast ? ['color', 'background'].map((it) => refuse(it, contrasts)) : []),
      ...(frame !== undefined && format === 'png' ? [refuse('frame', ' requires format svg or pdf')] : []),
      ...(logo !== undefined && format === 'png' && widthMm > maxLogoPngMm
        ? [refuse('width_mm', ` must be at most ${maxLogoPngMm} for a PNG with a logo; use format svg or pdf`)]
        : []),
      ...(frame !== undefined && format === 'pdf' && winAnsiOf(frame) === null
        ? [refuse('frame', ' has characters that the font of a PDF lacks; use format svg')]
        : []),
    ];
  }

  static styleOf(query: QrCodeQuery): QrCodeStyle {
    const { size, margin, error_correction: errorCorrection, background, rounded: isRounded, frame = '' } = query;
    const widthMm = query.width_mm ?? null;
    return { size, widthMm, margin, errorCorrection, color: query.color, background, isRounded, frame };
  }
}
