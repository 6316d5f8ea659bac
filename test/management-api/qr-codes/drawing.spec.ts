import { toPng } from '../../../src/management-api/qr-codes/png';
import { drawQrCode, type QrCodeStyle, QrCodeTooSmall } from '../../../src/management-api/qr-codes/qr-code';
import { toSvg } from '../../../src/management-api/qr-codes/svg';
import { pictureOfPng, pictureOfSvg, readQrCode } from '../../support/qr-reader';

const plain: QrCodeStyle = {
  size: 512,
  margin: 4,
  errorCorrection: 'M',
  color: [0, 0, 0],
  background: [255, 255, 255],
};

const texts = [
  ['a short URL', 'https://a.go.example.com/x'],
  ['a long URL', `https://${'s'.repeat(63)}.go.example.com/${'p'.repeat(50)}`],
  ['the longest host there can be', `https://${'h'.repeat(253)}:65535/${'p'.repeat(50)}`],
] as const;

test.each(
  texts.flatMap(([name, text], row) =>
    (['L', 'M', 'Q', 'H'] as const).map(
      (level, column) => [name, level, [0, 4, 16][(row + column) % 3]!, text] as const,
    ),
  ),
)('%s at level %s with a margin of %d is read from PNG and SVG', async (_, errorCorrection, margin, text) => {
  const code = drawQrCode(text, { ...plain, size: 400, errorCorrection, margin });
  expect(readQrCode(pictureOfPng(await toPng(code)))).toBe(text);
  expect(readQrCode(pictureOfSvg(toSvg(code), 3))).toBe(text);
});

test('whatever a project may be called, the smallest image holds it', () => {
  for (const [, text] of texts)
    expect(drawQrCode(text, { ...plain, size: 128, margin: 16, errorCorrection: 'H' }).scale).toBeGreaterThan(0);
});

test('a text with more modules than the image has pixels is refused, and told how many it needs', () => {
  const draw = (size: number) => drawQrCode('x'.repeat(400), { ...plain, size, margin: 16, errorCorrection: 'H' });
  expect(() => draw(128)).toThrow(QrCodeTooSmall);
  const [, needed] = /at least (\d+) pixels/.exec(refusalOf(() => draw(128)).message)!;
  expect(refusalOf(() => draw(128))).toMatchObject({
    code: 'INVALID_INPUT',
    details: [{ code: 'too_small', path: ['size'] }],
  });
  expect(() => draw(Number(needed) - 1)).toThrow(QrCodeTooSmall);
  expect(draw(Number(needed)).scale).toBe(1);
});

const refusalOf = (draw: () => unknown): Error => {
  try {
    draw();
  } catch (error) {
    return error as Error;
  }
  throw new Error('not refused');
};

test('drawing the largest PNG keeps the event loop busy for milliseconds only; it is compressed elsewhere', async () => {
  const busy: number[] = [];
  for (let round = 0; round < 25; round++) {
    // Time of the processor, not of the clock: what else the machine does is not counted.
    const before = process.cpuUsage();
    const drawn = toPng(drawQrCode(texts[1][1], { ...plain, size: 2048, errorCorrection: 'H' }));
    const { user, system } = process.cpuUsage(before);
    busy.push((user + system) / 1000);
    expect((await drawn).length).toBeGreaterThan(1000);
  }
  const median = busy.toSorted((a, b) => a - b)[12]!;
  console.log(`a PNG of 2048 pixels keeps the event loop busy for ${median.toFixed(1)} ms (median of 25)`);
  expect(median).toBeLessThan(30);
});
