import { toPng } from '../../../src/links/qr-codes/png';
import { drawQrCode, type QrCode, type QrCodeStyle } from '../../../src/links/qr-codes/qr-code';
import { processorTimeOf } from '../../support/processor-time';

const text = `https://${'s'.repeat(63)}.go.example.com/${'p'.repeat(50)}`;

/** Sets each pixel on its own, as general encoders do. */
function setEachPixel({ style: { size }, offset, scale, modules, isDark }: QrCode): Buffer {
  const pixels = Buffer.alloc(size * size);
  const moduleAt = (pixel: number): number => Math.floor((pixel - offset) / scale);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [row, column] = [moduleAt(y), moduleAt(x)];
      const isInside = row >= 0 && row < modules && column >= 0 && column < modules;
      pixels[y * size + x] = isInside && isDark(row, column) ? 1 : 0;
    }
  return pixels;
}

const medianOf = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

test('drawing the largest PNG blocks the event loop for less than half of the time that setting each pixel takes', async () => {
  const style: QrCodeStyle = {
    size: 2048,
    margin: 4,
    errorCorrection: 'H',
    color: [0, 0, 0],
    background: [255, 255, 255],
  };
  const [busyMs, pixelsMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < 25; round++) {
    let drawn: Promise<Buffer> | undefined;
    busyMs.push(
      processorTimeOf(() => {
        drawn = toPng(drawQrCode(text, style));
      }),
    );
    expect((await drawn!).length).toBeGreaterThan(1000);
    const code = drawQrCode(text, style);
    // The same machine does both at the same time, so that its speed does not matter.
    pixelsMs.push(processorTimeOf(() => void setEachPixel(code)));
  }
  const [busy, pixels] = [medianOf(busyMs), medianOf(pixelsMs)];
  console.log(
    `a PNG of 2048 pixels takes ${busy.toFixed(1)} ms of the event loop, and single pixels ${pixels.toFixed(1)}`,
  );
  expect(busy).toBeLessThan(pixels / 2);
});
