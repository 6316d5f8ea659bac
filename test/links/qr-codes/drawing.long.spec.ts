import { type QrCodeStyle, QrCodeTooSmall } from '../../../src/links/qr-codes/qr-code';
import { type QrFormat, qrImage } from '../../../src/links/qr-codes/qr-image';
import type { QrLogo } from '../../../src/links/qr-codes/qr-logo';
import { photographs } from '../../support/photographs';
import { pictureOfPdf, pictureOfSvgOutlines } from '../../support/qr-outlines';
import { pictureOfPng, pictureOfSvg, readQrCode } from '../../support/qr-reader';

const defaultStyle: QrCodeStyle = {
  size: 512,
  margin: 4,
  errorCorrection: 'M',
  color: [0, 0, 0],
  background: [255, 255, 255],
  widthMm: null,
  isRounded: false,
  frame: '',
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
  const style = { ...defaultStyle, size: 400, errorCorrection, margin };
  expect(readQrCode(pictureOfPng((await qrImage(text, style, 'png')) as Buffer))).toBe(text);
  expect(readQrCode(pictureOfSvg(String(await qrImage(text, style, 'svg')), 3))).toBe(text);
});

test('the smallest image has space for the longest URL', async () => {
  for (const [, text] of texts)
    await qrImage(text, { ...defaultStyle, size: 128, margin: 16, errorCorrection: 'H' }, 'png');
});

test('a PNG with too few pixels is refused with the required size', async () => {
  const draw = (size: number) =>
    qrImage('x'.repeat(400), { ...defaultStyle, size, margin: 16, errorCorrection: 'H' }, 'png');
  const refused = await refusalOf(draw(128));
  expect(refused).toMatchObject({ code: 'INVALID_INPUT', details: [{ code: 'too_small', path: ['size'] }] });
  const needed = Number(/at least (\d+) pixels/.exec(refused.message)![1]);
  await expect(draw(needed - 1)).rejects.toThrow(QrCodeTooSmall);
  await draw(needed);
});

const refusalOf = (drawing: Promise<unknown>): Promise<Error> =>
  drawing.then(
    () => new Error('nothing was thrown'),
    (error: Error) => error,
  );

/** A red rectangle. */
const logo: QrLogo = {
  jpeg: Buffer.from('the bytes of a JPEG'),
  width: 60,
  height: 30,
  fit: (side) => {
    const data = new Uint8ClampedArray((4 * side * side) / 2).fill(255);
    for (let at = 0; at < data.length; at += 4) data.set([200, 0, 0], at);
    return Promise.resolve({ data, width: side, height: side / 2 });
  },
};

const designs = [false, true].flatMap((isRounded) =>
  ['', 'Jetzt öffnen – “scan me”!'].flatMap((frame) =>
    [
      {},
      { margin: 2, errorCorrection: 'L' as const },
      { errorCorrection: 'H' as const, color: [15, 118, 110] as const, background: [254, 249, 195] as const },
    ].map((others) => ({ ...others, isRounded, frame })),
  ),
);

describe.each(designs)('the design %j', (design) => {
  const [, text] = texts[0];
  const style = { ...defaultStyle, ...design };
  const edge = design.frame === '' ? 0 : 1;

  test('is read from an SVG', async () => {
    const svg = String(await qrImage(text, { ...style, widthMm: 40 }, 'svg'));
    expect(readQrCode(pictureOfSvgOutlines(svg, 6))).toBe(text);
    expect(svg).toContain('width="40mm"');
    expect(svg.includes('</text>')).toBe(edge === 1);
    expect(String(await qrImage(text, style, 'svg'))).toMatch(/ width="512" height="\d+(\.\d+)?" viewBox/);
  });

  test('is read from a PDF of its size', async () => {
    const { picture, mm, text: frame } = pictureOfPdf((await qrImage(text, style, 'pdf')) as Buffer, 6);
    expect(readQrCode(picture)).toBe(text);
    expect(mm[0]).toBe(50);
    expect(mm[1]! > 50).toBe(edge === 1);
    expect(frame).toBe(design.frame.replace('–', '\x96').replace('“', '\x93').replace('”', '\x94'));
  });

  (edge === 1 ? test.skip : test)('is read from a PNG on the screen and in print', async () => {
    for (const size of [128, 512])
      expect(readQrCode(pictureOfPng((await qrImage(text, { ...style, size }, 'png')) as Buffer))).toBe(text);
    const printed = (await qrImage(text, { ...style, widthMm: 25 }, 'png')) as Buffer;
    expect(pictureOfPng(printed)).toMatchObject({ width: 295, height: 295 });
    expect(readQrCode(pictureOfPng(printed))).toBe(text);
    expect(printed.readUInt32BE(printed.indexOf('pHYs') + 4)).toBe(11811);
  });
});

test.each([2, 3, 12, 13])('a rounded PNG with %d pixels per module is symmetric and is read', async (scale) => {
  const style = { ...defaultStyle, isRounded: true, size: 33 * scale };
  const picture = pictureOfPng((await qrImage(texts[0][1], style, 'png')) as Buffer);
  expect(readQrCode(picture)).toBe(texts[0][1]);
  // The finder pattern at the top left.
  const pixel = (x: number, y: number) => picture.data[4 * ((4 * scale + y) * picture.width + 4 * scale + x)];
  const side = 7 * scale;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      expect(pixel(x, y)).toBe(pixel(side - 1 - x, y));
      expect(pixel(x, y)).toBe(pixel(y, x));
    }
});

describe.each(designs)('the design %j with a logo', (design) => {
  const [, text] = texts[0];
  const style = { ...defaultStyle, ...design };
  const hasFrame = design.frame !== '';

  test('is read from an SVG and a PDF, which have the picture in the middle', async () => {
    const svg = String(await qrImage(text, { ...style, widthMm: 40 }, 'svg', logo));
    const [, data, x, , side] =
      /<image href="data:image\/jpeg;base64,([^"]*)" x="([\d.]+)" y="([\d.]+)" width="(\d+)"/.exec(svg)!;
    expect(Buffer.from(data!, 'base64')).toEqual(logo.jpeg);
    const [, width] = /viewBox="0 0 (\d+)/.exec(svg)!;
    expect(2 * Number(x) + Number(side)).toBe(Number(width));
    expect(readQrCode(pictureOfSvgOutlines(svg, 6))).toBe(text);
    const pdf = (await qrImage(text, style, 'pdf', logo)) as Buffer;
    expect(pdf.includes(logo.jpeg)).toBe(true);
    expect(pdf.toString('latin1')).toContain(
      `/Width 60/Height 30/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode`,
    );
    expect(readQrCode(pictureOfPdf(pdf, 6).picture)).toBe(text);
  });

  (hasFrame ? test.skip : test)('is read from a PNG, and from photographs of it', async () => {
    for (const size of [160, 512]) {
      const picture = pictureOfPng((await qrImage(text, { ...style, size }, 'png', logo)) as Buffer);
      expect(readQrCode(picture)).toBe(text);
      const middle = 4 * (Math.floor(size / 2) * size + Math.floor(size / 2));
      expect([...picture.data.subarray(middle, middle + 3)]).toEqual([200, 0, 0]);
    }
    const printed = pictureOfPng((await qrImage(text, { ...style, widthMm: 30 }, 'png', logo)) as Buffer);
    for (const [how, photograph] of Object.entries(photographs))
      expect([how, readQrCode(photograph(printed))]).toEqual([how, text]);
  });
});

test('a code with a logo needs a larger print', async () => {
  const style = { ...defaultStyle, widthMm: 14 };
  await qrImage(texts[0][1], style, 'svg');
  await expect(qrImage(texts[0][1], style, 'svg', logo)).rejects.toThrow(QrCodeTooSmall);
});

test('a rounded PNG has smooth corners, and straight edges between dark modules', async () => {
  const png = (await qrImage('x', { ...defaultStyle, isRounded: true, margin: 0, size: 210 }, 'png')) as Buffer;
  const { data } = pictureOfPng(png);
  const row = (y: number) => Array.from({ length: 12 }, (_, x) => data[4 * (y * 210 + x)]);
  // The corner of the finder pattern is round, and its edge is not.
  expect(row(0).slice(0, 1)).toEqual([255]);
  expect(row(0).slice(8, 12)).toEqual([0, 0, 0, 0]);
  expect(row(5)).toEqual(Array(12).fill(0));
  expect(new Set(row(1)).size).toBeGreaterThan(2);
});

test.each<[format: QrFormat, widthMm: number | null, margin: number]>([
  ['png', 15, 4],
  ['svg', 15, 4],
  ['pdf', 15, 4],
  ['pdf', null, 16],
])('a %s of %s mm is refused if phones cannot read it', async (format, widthMm, margin) => {
  const text = `https://example.com/${widthMm === null ? 'p'.repeat(1500) : 'p'.repeat(30)}`;
  const style = { ...defaultStyle, widthMm, margin };
  const refused = await refusalOf(qrImage(text, style, format));
  expect(refused).toMatchObject({ code: 'INVALID_INPUT', details: [{ code: 'too_small', path: ['width_mm'] }] });
  const [, needed] = /at least (\d+) mm/.exec(refused.message)!;
  await qrImage(text, { ...style, widthMm: Number(needed) }, format);
  await expect(qrImage(text, { ...style, widthMm: Number(needed) - 1 }, format)).rejects.toThrow(QrCodeTooSmall);
});
