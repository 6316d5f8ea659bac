import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { load } from './load';

const { zipOf } = load('qr/zip');
const { pdfOf, withResolution } = load('qr/print-files');
const { drawQr, initialDesign } = load('qr/qr-design');
const { qrFaults, minWidthMm } = load('qr/qr-checks');

test('a ZIP has its files by name', () => {
  const files = [
    { name: 'ä/one.txt', content: Buffer.from('one') },
    { name: 'two.bin', content: new Uint8Array([0, 255, 7]) },
  ];
  const zip = Buffer.from(zipOf(files));
  // The end, the directory, and then each file (PKWARE APPNOTE 4.3).
  expect(zip.readUInt32LE(zip.length - 22)).toBe(0x06054b50);
  let at = zip.readUInt32LE(zip.length - 6);
  const read = files.map(() => {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50);
    const [size, nameLength, offset] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    at += 46 + nameLength;
    expect(zip.readUInt32LE(offset)).toBe(0x04034b50);
    const start = offset + 30 + nameLength;
    return { name, content: [...zip.subarray(start, start + size)] };
  });
  expect(read).toEqual(files.map(({ name, content }) => ({ name, content: [...content] })));
});

test('a PNG gets the resolution of print, and is read as before', () => {
  const png = PNG.sync.write(new PNG({ width: 3, height: 2 }));
  const printed = Buffer.from(withResolution(png, 300));
  const at = printed.indexOf('pHYs');
  expect(printed.readUInt32BE(at + 4)).toBe(11811);
  expect(PNG.sync.read(printed)).toMatchObject({ width: 3, height: 2 });
});

test('a PDF has the picture in its size', async () => {
  const data = new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 255]);
  const pdf = Buffer.from(await pdfOf({ width: 2, height: 1, data }, 50.8));
  const text = pdf.toString('latin1');
  expect(text).toContain('/MediaBox[0 0 144.00 72.00]');
  const [, length] = /\/Length (\d+)>>stream\n/.exec(text)!;
  const start = text.indexOf('stream\n') + 7;
  expect([...inflateSync(pdf.subarray(start, start + Number(length)))]).toEqual([1, 2, 3, 4, 5, 6]);
  const xref = Number(/startxref\n(\d+)/.exec(text)![1]);
  expect(text.slice(xref, xref + 4)).toBe('xref');
  for (const [place, offset] of [...text.slice(xref).matchAll(/(\d{10}) 00000 n/g)]
    .map(([, at]) => Number(at))
    .entries())
    expect(text.slice(offset).startsWith(`${place + 1} 0 obj`)).toBe(true);
});

const url = 'https://links.example.com/spring';
test.each<[design: object, faults: string[]]>([
  [{}, []],
  [{ color: '#0f766e' }, []],
  [{ color: '#bbbbbb' }, ['contrast']],
  [{ color: '#ffffff', background: '#000000' }, ['inverted']],
  [{ widthMm: 10 }, ['small']],
  [{ margin: 1 }, ['margin']],
  [{ logo: 'data:,', widthMm: 15 }, ['small']],
])('the design %j has the faults %j', (changes, faults) => {
  expect(qrFaults(url, { ...initialDesign, ...changes })).toEqual(faults);
});

test('the smallest width has no fault', () => {
  const widthMm = minWidthMm(url, initialDesign);
  expect(qrFaults(url, { ...initialDesign, widthMm })).toEqual([]);
  expect(qrFaults(url, { ...initialDesign, widthMm: widthMm - 1 })).toEqual(['small']);
});

test('a frame has its text as text', () => {
  const { svg, width, height } = drawQr(url, { ...initialDesign, frame: '<b>&', widthMm: 40 });
  expect(svg).toContain('>&lt;b>&amp;</text>');
  expect(svg).toContain(`width="40mm" height="${Math.round((4000 * height) / width) / 100}mm"`);
});
