import type { Pixels } from '../pictures/picture-codec';

/** A picture in the middle of a QR code. */
export interface QrLogo {
  jpeg: Buffer;
  width: number;
  height: number;
  /** Returns its pixels, the longer side having `side`. */
  fit: (side: number) => Promise<Pixels>;
}
