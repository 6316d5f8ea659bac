import { drawQrCode, type QrCodeStyle } from '../../qr-codes/qr-code';
import { toSvg } from '../../qr-codes/svg';
import { markup, Markup } from './markup';

const style: QrCodeStyle = {
  size: 208,
  margin: 4,
  errorCorrection: 'M',
  color: [0, 0, 0],
  background: [255, 255, 255],
};

/** Bytes of the longest text drawn. Longer ones, by what a visitor adds, take long to draw and are too fine to be scanned. */
const longestText = 500;

/** The link as a QR code, for a visitor who has a phone beside the screen; null where the link does not fit. */
export function phoneCode(url: string): Markup | null {
  if (Buffer.byteLength(url) > longestText) return null;
  let svg: string;
  try {
    svg = toSvg(drawQrCode(url, style));
  } catch {
    // Too long, or empty: the page is as good without.
    return null;
  }
  return markup`<section class="phone">
<div class="code">${new Markup(svg.replace('<svg', '<svg role="img" aria-label="QR code of this link"'))}</div>
<p><strong>On your phone</strong><br>Scan the code with the camera to open this link there.</p>
</section>`;
}
