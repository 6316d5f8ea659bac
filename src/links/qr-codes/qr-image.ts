import { hexOf } from './color';
import { toPdf } from './pdf';
import { toPng } from './png';
import { drawQrCode, type QrCodeStyle, requireReadableWidth } from './qr-code';
import { qrSvg } from './qr-svg';
import { toSvg } from './svg';

export const qrFormats = ['png', 'svg', 'pdf'] as const;
export type QrFormat = (typeof qrFormats)[number];

export const imageTypes = { png: 'image/png', svg: 'image/svg+xml', pdf: 'application/pdf' };

/** Width of a PDF for which nobody names one. */
export const defaultWidthMm = 50;

/**
 * Draws the QR code of `text`.
 * @throws QrCodeTooSmall
 */
export async function qrImage(text: string, style: QrCodeStyle, format: QrFormat): Promise<Buffer | string> {
  const widthMm = style.widthMm ?? (format === 'pdf' ? defaultWidthMm : null);
  requireReadableWidth(text, style, widthMm);
  if (format === 'pdf') return toPdf(text, style, widthMm!);
  if (format === 'png') return toPng(drawQrCode(text, style));
  if (!style.isRounded && style.frame === '' && widthMm === null) return toSvg(drawQrCode(text, style));
  const colors = { color: `#${hexOf(style.color)}`, background: `#${hexOf(style.background)}` };
  const width: Parameters<typeof qrSvg>[2] = widthMm === null ? [style.size, ''] : [widthMm, 'mm'];
  return qrSvg(text, { ...style, ...colors, logo: null }, width).svg;
}
