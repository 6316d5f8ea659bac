import { colorOf, contrast, luminance, minContrast } from '../../../src/links/qr-codes/color';
import { minWidthMm as minWidthOf } from '../../../src/links/qr-codes/qr-layout';
import { layoutOf, type QrDesign } from './qr-design';

export type QrFault = 'contrast' | 'inverted' | 'small' | 'margin';

/** Modules of the quiet zone without which scanners fail on a coloured page. ISO/IEC 18004 asks for 4. */
const minMargin = 2;

/** Returns why scanners may fail to read the design. */
export function qrFaults(url: string, design: QrDesign): QrFault[] {
  const [dark, light] = [colorOf(design.color.slice(1)), colorOf(design.background.slice(1))];
  const isReadable = contrast(dark, light) >= minContrast;
  const faults: [QrFault, boolean][] = [
    ['contrast', !isReadable],
    ['inverted', isReadable && luminance(dark) > luminance(light)],
    ['small', design.widthMm < minWidthMm(url, design)],
    ['margin', design.margin < minMargin],
  ];
  return faults.filter(([, isFault]) => isFault).map(([name]) => name);
}

/** Returns the smallest width of the design in whole millimetres. */
export const minWidthMm = (url: string, design: QrDesign): number => minWidthOf(layoutOf(url, design));
