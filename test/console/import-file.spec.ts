import { load } from './load';

interface ReadableFile {
  format: string;
  encoding: string;
  head: string;
  isWhole: boolean;
}

const { readableFile } = load('pages/imports/import-file');

const file = (content: string | number[], name = 'links.csv'): File =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);

test.each<[name: string, content: string, format: string]>([
  ['links.csv', '[1,2', 'csv'],
  ['links.tsv', 'a\tb', 'csv'],
  ['links.jsonl', '{"a":1}', 'ndjson'],
  ['links.NDJSON', '{"a":1}', 'ndjson'],
  ['links.json', ' [{"a":1}]', 'json'],
  ['links.json', '{\n "links": [', 'json'],
  ['links.json', '{"links": []}', 'json'],
  ['links.json', '{"a":1}\n{"a":2}', 'ndjson'],
  ['links', '{"a":1}', 'ndjson'],
  ['links', 'a,b', 'csv'],
])('%s with %j is read as %s', async (name, content, format) => {
  expect(await readableFile(file(content, name))).toMatchObject({ format, isWhole: true });
});

test.each<[what: string, content: string | number[], fault: string]>([
  ['no content', '', 'empty'],
  ['UTF-16', [0xff, 0xfe, 0x61, 0], 'utf16'],
  ['gzip', [0x1f, 0x8b, 8, 0], 'compressed'],
  ['a spreadsheet', [0x50, 0x4b, 3, 4, 20], 'spreadsheet'],
  ['bytes that are no text', [0x61, 0xfc, 0x00], 'notUtf8'],
])('a file with %s has a fault', async (_, content, fault) => {
  expect(await readableFile(file(content))).toBe(fault);
});

test.each<[what: string, content: string | number[], encoding: string, head: string]>([
  ['UTF-8', 'ü', 'utf-8', 'ü'],
  ['letters of Windows-1252', [0x61, 0xfc, 0x62], 'windows-1252', 'aüb'],
  ['half a character of UTF-8', [0x61, 0xc3], 'windows-1252', 'aÃ'],
])('the encoding of a file with %s is proposed', async (_, content, encoding, head) => {
  expect(await readableFile(file(content))).toMatchObject({ encoding, head });
});

test('a chosen encoding is used', async () => {
  expect(await readableFile(file('ü'), 'windows-1252')).toMatchObject({ encoding: 'windows-1252', head: 'Ã¼' });
  expect(await readableFile(file([0x61, 0xfc]), 'utf-8')).toBe('notUtf8');
});

test('only the beginning is read, and a character that it cuts is no fault', async () => {
  const read = (await readableFile(file('ü'.repeat(100_000).padStart(200_001, 'a')))) as ReadableFile;
  expect(read).toMatchObject({ isWhole: false, format: 'csv' });
  expect(read.head.length).toBeLessThan(131_073);
});

test('a file above the limit of the service is not sent', async () => {
  const big = { ...file('a'), size: 200_000_001 } as File;
  expect(await readableFile(big)).toBe('tooLarge');
});
