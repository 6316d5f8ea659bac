import { scaleOf } from '../../links/qr-codes/qr-code';
import { layOut } from '../../links/qr-codes/qr-layout';
import { svgOf, type SvgDesign } from '../../links/qr-codes/qr-svg';
import { Markup } from '../../shared/markup';

const maxPixels = 184;

const design: SvgDesign = {
  margin: 4,
  // Level L gives the largest modules. A screen needs no more error correction.
  errorCorrection: 'L',
  color: '#000000',
  background: '#ffffff',
  isRounded: false,
  frame: '',
  logo: null,
};

/** The limit is two pixels per module. Longer URLs are hard to scan from a screen and slow to draw. */
const maxUrlBytes = 320;

export const fitsLinkQrCode = (url: string): boolean => Buffer.byteLength(url) <= maxUrlBytes;

/** Renders the link as a QR code; returns null if the URL is too long. */
export function linkQrCode(url: string): Markup | null {
  if (!fitsLinkQrCode(url)) return null;
  try {
    const layout = layOut(url, design);
    // A multiple of the module size in whole pixels, because uneven modules are hard to scan.
    const size = scaleOf(layout, maxPixels) * layout.width;
    // The element around it has the name, in the language of the page.
    return new Markup(svgOf(layout, design, [size, '']).replace('<svg', '<svg aria-hidden="true"'));
  } catch {
    // The URL is empty or too long for a QR code; the page omits it.
    return null;
  }
}
