import { create } from 'qrcode/lib/core/qrcode';

export type ErrorCorrection = 'L' | 'M' | 'Q' | 'H';

/** The square of modules of a QR code. */
export interface QrMatrix {
  size: number;
  isDark: (row: number, column: number) => boolean;
}

export function qrMatrix(text: string, errorCorrectionLevel: ErrorCorrection): QrMatrix {
  const { modules } = create(text, { errorCorrectionLevel });
  const isInside = (at: number): boolean => at >= 0 && at < modules.size;
  return {
    size: modules.size,
    isDark: (row, column) => isInside(row) && isInside(column) && modules.get(row, column) === 1,
  };
}
