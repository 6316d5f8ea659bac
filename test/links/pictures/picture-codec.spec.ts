import { convertPicture, maxSide } from '../../../src/links/pictures/picture-codec';
import { PictureThread, pictureThread } from '../../../src/links/pictures/picture-thread';
import { aPng, claiming, hiding, turned, webps, withChunk, withStart, withTwoFrames } from './pictures';

async function jpegOf(bytes: Buffer): Promise<Buffer> {
  const converted = await convertPicture(bytes);
  if ('refusal' in converted) throw new Error(converted.refusal);
  return Buffer.from(converted.jpeg);
}

let photograph: Buffer;
beforeAll(async () => (photograph = await jpegOf(aPng(40, 20))));

test.each<[string, () => Buffer, [width: number, height: number]]>([
  ['a PNG', () => aPng(60, 30), [60, 30]],
  ['a JPEG', () => photograph, [40, 20]],
  ['a JPEG that a camera has turned', () => turned(photograph), [20, 40]],
  ['a JPEG with bytes that fill', () => withStart(photograph, Buffer.from('ffff', 'hex')), [40, 20]],
  ['a lossy WebP', () => webps.lossy, [1, 1]],
  ['a lossless WebP', () => webps.lossless, [1, 1]],
  ['a wide PNG', () => aPng(2400, 10), [maxSide, 5]],
  ['a high PNG', () => aPng(1, 3000), [1, maxSide]],
  ['a PNG with an archive behind it', () => Buffer.concat([aPng(3, 3), Buffer.from('PK\x03\x04 archive')]), [3, 3]],
  ['a PNG with a text', () => withChunk(aPng(3, 3), 'tEXt', Buffer.from('Author\0private')), [3, 3]],
])('%s becomes a JPEG without metadata', async (_, bytes, size) => {
  const { jpeg, ...rest } = (await convertPicture(bytes())) as { jpeg: Uint8Array };
  expect(rest).toEqual({ width: size[0], height: size[1] });
  expect(Buffer.from(jpeg.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
  expect(Buffer.from(jpeg).toString('latin1')).not.toMatch(/Exif|private|archive/);
});

test('transparent pixels become white', async () => {
  expect(await jpegOf(aPng(8, 8, [10, 20, 30, 0]))).toEqual(await jpegOf(aPng(8, 8, [255, 255, 255, 255])));
});

test.each<[string, string, () => Buffer]>([
  ['nothing', 'unknown_type', () => Buffer.alloc(0)],
  ['an SVG', 'unknown_type', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['a GIF', 'unknown_type', () => Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
  ['the beginning of a PNG', 'unknown_type', () => aPng(3, 3).subarray(0, 20)],
  ['the beginning of a JPEG', 'unknown_type', () => photograph.subarray(0, 20)],
  ['the beginning of a WebP', 'unknown_type', () => webps.lossy.subarray(0, 20)],
  ['a PNG without pixels', 'unknown_type', () => claiming(0, 10)],
  ['half a PNG', 'damaged', () => aPng(300, 300).subarray(0, 400)],
  ['half a JPEG', 'damaged', () => photograph.subarray(0, photograph.length - 20)],
  ['half a WebP', 'damaged', () => webps.lossless.subarray(0, 31)],
  ['a PNG with fewer pixels than it says', 'damaged', () => claiming(3000, 3000)],
  ['a JPEG whose segments lead nowhere', 'unknown_type', () => Buffer.from('ffd8ffe0000000000000000000', 'hex')],
  ...['ff00', 'ff01', 'ffd0', 'ffd7', 'ffd8', 'ffd9'].map((marker): [string, string, () => Buffer] => [
    `a JPEG that hides its frame behind ${marker}`,
    'unknown_type',
    () => hiding(photograph, marker),
  ]),
  ['a JPEG with two frames', 'damaged', () => withTwoFrames(photograph)],
  ['a PNG of 50,000 × 50,000 pixels', 'too_many_pixels', () => claiming(50_000, 50_000)],
  ['a PNG with the most pixels', 'too_many_pixels', () => claiming(0xffff_ffff, 0xffff_ffff)],
  ['an animated PNG', 'animated', () => withChunk(aPng(3, 3), 'acTL', Buffer.alloc(8))],
  ['an animated WebP', 'animated', () => webps.animated],
])('%s is refused: %s', async (_, refusal, bytes) => {
  expect(await convertPicture(bytes())).toEqual({ refusal });
});

describe('a thread', () => {
  const { timeoutMs, file } = pictureThread;
  afterEach(() => Object.assign(pictureThread, { timeoutMs, file }));

  test('converts pictures one after the other, also after a refused one', async () => {
    const thread = new PictureThread();
    const [refused, converted] = await Promise.all([thread.convert(webps.animated), thread.convert(aPng(3, 3))]);
    expect([refused, converted]).toEqual([{ refusal: 'animated' }, expect.objectContaining({ width: 3 })]);
  });

  test('returns the pixels of a stored picture in a size', async () => {
    const thread = new PictureThread();
    for (const [side, height] of [
      [20, 10],
      [100, 50],
    ] as const)
      expect(await thread.fit(photograph, side)).toMatchObject({ width: side, height });
    await expect(thread.fit(Buffer.from('no JPEG'), 20)).rejects.toThrow();
  });

  test('refuses a picture whose conversion takes too much time', async () => {
    Object.assign(pictureThread, { timeoutMs: 1 });
    expect(await new PictureThread().convert(aPng(3, 3))).toEqual({ refusal: 'damaged' });
  });

  test.each([
    ['has no program', { file: '/nowhere.js' }, /nowhere/],
    ['ends without a result', { file: require.resolve('lru-cache') }, /without a result/],
  ])('reports a fault of the service if it %s', async (_, fault, message) => {
    Object.assign(pictureThread, fault);
    await expect(new PictureThread().convert(aPng(3, 3))).rejects.toThrow(message);
  });
});
