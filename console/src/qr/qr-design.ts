import { qrCodeUrl } from '../../../src/link-paths/paths/reserved-parameters';
import { type DrawnQr, qrSvg, type SvgDesign } from '../../../src/links/qr-codes/qr-svg';

export interface QrDesign extends SvgDesign {
  /** Width for print, in millimetres. */
  widthMm: number;
}

export const initialDesign: QrDesign = {
  color: '#000000',
  background: '#ffffff',
  isRounded: false,
  errorCorrection: 'M',
  margin: 4,
  frame: '',
  logo: null,
  widthMm: 50,
};

/** Draws the QR code of a link as an SVG with its size in millimetres, as the service does. */
export const drawQr = (url: string, design: QrDesign): DrawnQr => qrSvg(qrCodeUrl(url), design, [design.widthMm, 'mm']);
