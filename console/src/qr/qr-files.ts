import { bytesOf } from './binary';
import { pdfOf, type Pixels, withResolution } from './print-files';
import { drawQr, type QrDesign } from './qr-design';

export const qrFormats = ['png', 'svg', 'pdf'] as const;
export type QrFormat = (typeof qrFormats)[number];

const types = { png: 'image/png', svg: 'image/svg+xml', pdf: 'application/pdf' };

/** Resolution of print. A PDF has a picture, because text would need its font. */
const dotsPerInch = { png: 300, pdf: 600 };
/** Pixels of a side that all browsers draw. */
const maxPixels = 4096;

/** Returns the QR code of a link as a file. */
export async function qrFile(url: string, design: QrDesign, format: QrFormat): Promise<Uint8Array<ArrayBuffer>> {
  const { svg, width, height } = drawQr(url, design);
  if (format === 'svg') return bytesOf(svg);
  const printedPixels = (design.widthMm / 25.4) * dotsPerInch[format];
  // Whole pixels per module keep edges sharp.
  const scale = Math.max(1, Math.floor(Math.min(printedPixels, (maxPixels * width) / Math.max(width, height)) / width));
  const canvas = await painted(svg, width * scale, height * scale);
  if (format === 'pdf') return pdfOf(pixelsOf(canvas), design.widthMm);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The browser did not draw the picture.');
  const png = new Uint8Array(await blob.arrayBuffer());
  return withResolution(png, (canvas.width / design.widthMm) * 25.4);
}

export const qrBlob = async (url: string, design: QrDesign, format: QrFormat): Promise<Blob> =>
  new Blob([await qrFile(url, design, format)], { type: types[format] });

async function painted(svg: string, width: number, height: number): Promise<HTMLCanvasElement> {
  const source = URL.createObjectURL(new Blob([svg], { type: types.svg }));
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    canvas.getContext('2d')!.drawImage(image, 0, 0, width, height);
    return canvas;
  } finally {
    URL.revokeObjectURL(source);
  }
}

function pixelsOf(canvas: HTMLCanvasElement): Pixels {
  const { width, height } = canvas;
  return { width, height, data: canvas.getContext('2d')!.getImageData(0, 0, width, height).data };
}

/** Returns the name of a link's file without its ending. */
export const qrFileName = (path: string): string => `qr-${path.replaceAll(/[^\w-]+/g, '-')}`;
