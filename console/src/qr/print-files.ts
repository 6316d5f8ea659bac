import { bytesOf, crc32, deflated, joined } from './binary';

const mmPerInch = 25.4;

/** Adds the resolution to a PNG, so that it is printed in its size (PNG, third edition, 11.3.4.3). */
export function withResolution(png: Uint8Array, dotsPerInch: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  const perMetre = Math.round((dotsPerInch / mmPerInch) * 1000);
  view.setUint32(0, 9);
  chunk.set(bytesOf('pHYs'), 4);
  view.setUint32(8, perMetre);
  view.setUint32(12, perMetre);
  chunk[16] = 1;
  view.setUint32(17, crc32(chunk.subarray(4, 17)));
  // The signature has 8 bytes, and the first chunk 25.
  const head = 33;
  return joined([png.subarray(0, head), chunk, png.subarray(head)]);
}

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  data: Uint8ClampedArray;
}

/** Returns a PDF of one page that the picture fills (ISO 32000-1). */
export async function pdfOf({ width, height, data }: Pixels, widthMm: number): Promise<Uint8Array<ArrayBuffer>> {
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let part = 0; part < 3; part++) rgb[pixel * 3 + part] = data[pixel * 4 + part]!;
  const picture = await deflated(rgb);
  const points = (mm: number): string => ((mm / mmPerInch) * 72).toFixed(2);
  const [w, h] = [points(widthMm), points((widthMm * height) / width)];
  const draw = `q ${w} 0 0 ${h} 0 0 cm /I Do Q`;
  const objects = [
    [bytesOf('<</Type/Catalog/Pages 2 0 R>>')],
    [bytesOf('<</Type/Pages/Kids[3 0 R]/Count 1>>')],
    [bytesOf(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${w} ${h}]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>`)],
    [
      bytesOf(
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8` +
          `/Filter/FlateDecode/Length ${picture.length}>>stream\n`,
      ),
      picture,
      bytesOf('\nendstream'),
    ],
    [bytesOf(`<</Length ${draw.length}>>stream\n${draw}\nendstream`)],
  ];
  const parts: Uint8Array[] = [bytesOf('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = parts[0]!.length;
  for (const [number, content] of objects.entries()) {
    offsets.push(at);
    const object = joined([bytesOf(`${number + 1} 0 obj\n`), ...content, bytesOf('\nendobj\n')]);
    parts.push(object);
    at += object.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    bytesOf(
      `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer<</Size ${count}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return joined(parts);
}
