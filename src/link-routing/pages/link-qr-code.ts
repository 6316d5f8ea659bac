import { drawQrCode, type QrCodeStyle } from '../../links/qr-codes/qr-code';
import { toSvg } from '../../links/qr-codes/svg';
import { Markup } from '../../shared/markup';

const style: QrCodeStyle = {
  size: 184,
  margin: 4,
  // Level L gives the largest modules. A screen needs no more error correction.
  errorCorrection: 'L',
  color: [0, 0, 0],
  background: [255, 255, 255],
  widthMm: null,
  isRounded: false,
  frame: '',
};

/** The limit is two pixels per module. Longer URLs are hard to scan from a screen and slow to draw. */
const maxUrlBytes = 320;

/** Renders the link as a QR code; returns null if the URL is too long. */
export function linkQrCode(url: string): Markup | null {
  if (Buffer.byteLength(url) > maxUrlBytes) return null;
  try {
    const code = drawQrCode(url, style);
    // A multiple of the module size in whole pixels, because uneven modules are hard to scan.
    const size = code.scale * (code.modules + 2 * style.margin);
    // The element around it has the name, in the language of the page.
    return new Markup(toSvg({ ...code, size }).replace('<svg', '<svg aria-hidden="true"'));
  } catch {
    // The URL is empty or too long for a QR code; the page omits it.
    return null;
  }
}
