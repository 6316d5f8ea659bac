import { hexOf } from './color';
import { toPdf } from './pdf';
import { toPng } from './png';
import { type QrCodeStyle, requireReadableWidth } from './qr-code';
import { layOut } from './qr-layout';
import type { QrLogo } from './qr-logo';
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
export async function qrImage(
  text: string,
  style: QrCodeStyle,
  format: QrFormat,
  logo: QrLogo | null = null,
): Promise<Buffer | string> {
  const widthMm = style.widthMm ?? (format === 'pdf' ? defaultWidthMm : null);
  const layout = layOut(text, style, logo !== null);
  if (widthMm !== null) requireReadableWidth(layout, widthMm);
  if (format === 'pdf') return toPdf(layout, style, logo, widthMm!);
  if (format === 'png') return toPng(layout, style, logo);
  const colors = { color: `#${hexOf(style.color)}`, background: `#${hexOf(style.background)}` };
  const logoUrl = logo && `data:image/jpeg;base64,${logo.jpeg.toString('base64')}`;
  return svgOf(layout, { ...style, ...colors, logo: logoUrl }, widthMm === null ? [style.size, ''] : [widthMm, 'mm']);
}
