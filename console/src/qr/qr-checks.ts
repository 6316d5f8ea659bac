import { minWidthMm as minWidthOf } from '../../../src/links/qr-codes/qr-layout';
import { layoutOf, type QrDesign } from './qr-design';

export type QrFault = 'contrast' | 'inverted' | 'small' | 'margin';

/** The ratio that the service demands too (docs/contract-resources.md, “QR codes”). */
const minContrast = 3;
/** Modules of the quiet zone without which scanners fail on a coloured page. ISO/IEC 18004 asks for 4. */
const minMargin = 2;

/** Returns why scanners may fail to read the design. */
export function qrFaults(url: string, design: QrDesign): QrFault[] {
  const [dark, light] = [luminance(design.color), luminance(design.background)];
  const contrast = (Math.max(dark, light) + 0.05) / (Math.min(dark, light) + 0.05);
  const faults: [QrFault, boolean][] = [
    ['contrast', contrast < minContrast],
    ['inverted', contrast >= minContrast && dark > light],
    ['small', design.widthMm < minWidthMm(url, design)],
    ['margin', design.margin < minMargin],
  ];
  return faults.filter(([, isFault]) => isFault).map(([name]) => name);
}

/** Returns the smallest width of the design in whole millimetres. */
export const minWidthMm = (url: string, design: QrDesign): number => minWidthOf(layoutOf(url, design));

/** Returns the relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
