import { hexOf } from './color';
import { toPdf } from './pdf';
import { toPng } from './png';
import { type QrCodeStyle, requireReadableWidth } from './qr-code';
import { layOut } from './qr-layout';
import { svgOf } from './qr-svg';

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
  const layout = layOut(text, style);
  if (widthMm !== null) requireReadableWidth(layout, widthMm);
  if (format === 'pdf') return toPdf(layout, style, widthMm!);
  if (format === 'png') return toPng(layout, style);
  const colors = { color: `#${hexOf(style.color)}`, background: `#${hexOf(style.background)}` };
  return svgOf(layout, { ...style, ...colors, logo: null }, widthMm === null ? [style.size, ''] : [widthMm, 'mm']);
}
