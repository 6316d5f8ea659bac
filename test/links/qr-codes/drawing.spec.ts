import { toPng } from '../../../src/links/qr-codes/png';
import { drawQrCode, type QrCodeStyle, QrCodeTooSmall } from '../../../src/links/qr-codes/qr-code';
import { toSvg } from '../../../src/links/qr-codes/svg';
import { pictureOfPng, pictureOfSvg, readQrCode } from '../../support/qr-reader';

const defaultStyle: QrCodeStyle = {
  size: 512,
  margin: 4,
  errorCorrection: 'M',
  color: [0, 0, 0],
  background: [255, 255, 255],
};

const texts = [
  ['a short URL', 'https://a.go.example.com/x'],
  ['a long URL', `https://${'s'.repeat(63)}.go.example.com/${'p'.repeat(50)}`],
  ['a URL with the longest host', `https://${'h'.repeat(253)}:65535/${'p'.repeat(50)}`],
] as const;

test.each(
  texts.flatMap(([name, text], row) =>
    (['L', 'M', 'Q', 'H'] as const).map(
      (level, column) => [name, level, [0, 4, 16][(row + column) % 3]!, text] as const,
    ),
  ),
)('%s at level %s with a margin of %d can be read from PNG and SVG', async (_, errorCorrection, margin, text) => {
  const code = drawQrCode(text, { ...defaultStyle, size: 400, errorCorrection, margin });
  expect(readQrCode(pictureOfPng(await toPng(code)))).toBe(text);
  expect(readQrCode(pictureOfSvg(toSvg(code), 3))).toBe(text);
});

test('the smallest image has space for the longest URL', () => {
  for (const [, text] of texts)
    expect(drawQrCode(text, { ...defaultStyle, size: 128, margin: 16, errorCorrection: 'H' }).scale).toBeGreaterThan(0);
});

test('drawQrCode throws QrCodeTooSmall with the required size if an image has too few pixels', () => {
  const draw = (size: number) =>
    drawQrCode('x'.repeat(400), { ...defaultStyle, size, margin: 16, errorCorrection: 'H' });
  expect(() => draw(128)).toThrow(QrCodeTooSmall);
  const [, needed] = /at least (\d+) pixels/.exec(errorOf(() => draw(128)).message)!;
  expect(errorOf(() => draw(128))).toMatchObject({
    code: 'INVALID_INPUT',
    details: [{ code: 'too_small', path: ['size'] }],
  });
  expect(() => draw(Number(needed) - 1)).toThrow(QrCodeTooSmall);
  expect(draw(Number(needed)).scale).toBe(1);
});

const errorOf = (draw: () => unknown): Error => {
  try {
    draw();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
};
