import { drawQrCode, type QrCodeStyle } from '../../management-api/qr-codes/qr-code';
import { toSvg } from '../../management-api/qr-codes/svg';
import { markup, Markup } from './markup';

const style: QrCodeStyle = {
  size: 184,
  margin: 4,
  // A screen has no scratches: larger modules serve better.
  errorCorrection: 'L',
  color: [0, 0, 0],
  background: [255, 255, 255],
};

/**
 * Bytes of the longest text drawn, at two pixels a module. Longer ones, by what a visitor adds, are too fine to be scanned
 * from a screen, and take long to draw.
 */
const longestText = 320;

/** The link as a QR code, for a visitor who has a phone beside the screen; null where the link does not fit. */
export function phoneCode(url: string): Markup | null {
  if (Buffer.byteLength(url) > longestText) return null;
  let svg: string;
  try {
    const code = drawQrCode(url, style);
    // As large as whole pixels make it: uneven modules are hard to scan.
    const size = code.scale * (code.modules + 2 * style.margin);
    svg = toSvg({ ...code, style: { ...style, size } });
  } catch {
    // Too long, or empty: the page is as good without.
    return null;
  }
  return markup`<section class="phone">
<div class="code">${new Markup(svg.replace('<svg', '<svg role="img" aria-label="QR code of this link"'))}</div>
<p><strong>On your phone</strong><br>Scan the code with the camera to open this link there.</p>
</section>`;
}
