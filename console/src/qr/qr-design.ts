import { qrCodeUrl } from '../../../src/link-paths/paths/reserved-parameters';
import { layOut, type QrLayout } from '../../../src/links/qr-codes/qr-layout';
import { svgOf, type SvgDesign } from '../../../src/links/qr-codes/qr-svg';

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

export const layoutOf = (url: string, design: QrDesign): QrLayout =>
  layOut(qrCodeUrl(url), design, design.logo !== null);

export interface DrawnQr {
  svg: string;
  /** Width and height in modules. */
  width: number;
  height: number;
}

/** Draws the QR code of a link as an SVG with its size in millimetres, as the service does. */
export function drawQr(url: string, design: QrDesign): DrawnQr {
  const layout = layoutOf(url, design);
  return { svg: svgOf(layout, design, [design.widthMm, 'mm']), width: layout.width, height: layout.height };
}
