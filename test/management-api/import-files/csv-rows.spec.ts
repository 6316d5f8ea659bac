import { csvRows } from '../../../src/management-api/import-files/csv-rows';
import { FileColumns } from '../../../src/management-api/import-files/file-columns';

async function recordsOf(text: string, length: number): Promise<unknown[]> {
  const parts = async function* () {
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
  };
  const records: unknown[] = [];
  for await (const { record } of csvRows(parts(), new FileColumns())) records.push(JSON.parse(record!));
  return records;
}

describe.each([1, 2, 1000])('mixed line ends, in parts of %i characters', (length) => {
  const [one, two] = [
    { n: 'A', p: 'x' },
    { n: 'B', p: 'y' },
  ];
  test.each<[what: string, text: string, records: object[]]>([
    ['LF, then CRLF', 'n,p\nA,x\r\nB,y\r\n', [one, two]],
    ['CRLF, then LF', 'n,p\r\nA,x\nB,y\n', [one, two]],
    ['CR, then CRLF', 'n,p\rA,x\r\nB,y', [one, two]],
    ['LF, then CRLF, after quoted cells', 'n,"p"\nA,"x"\r\nB,"y"\r\n', [one, two]],
    ['CRLF, then LF, after quoted cells', 'n,"p"\r\nA,"x"\nB,"y"\n', [one, two]],
    ['all of them in a cell', 'n,p\nA,"1\r\n2\n3\r4"\r\n', [{ n: 'A', p: '1\r\n2\n3\r4' }]],
    ['blank lines', 'n,p\n\r\nA,x\r\n\n\rB,y\n', [one, two]],
  ])('%s', async (_, text, records) => {
    expect(await recordsOf(text, length)).toEqual(records);
  });
});

describe.each([1, 2, 1000])('the delimiter, in parts of %i characters', (length) => {
  test.each<[what: string, text: string, records: object[]]>([
    ['comma', 'n,p\nA,x\n', [{ n: 'A', p: 'x' }]],
    ['semicolon', 'n;p\nA, B, C;x\n', [{ n: 'A, B, C', p: 'x' }]],
    ['tab', 'n\tp\nA;B\tx\n', [{ n: 'A;B', p: 'x' }]],
    ['after blank lines', '\r\n\r\nn;p\r\nA;x\r\n', [{ n: 'A', p: 'x' }]],
    ['before CR alone', 'n;p\rA, b, c and, d;x\r', [{ n: 'A, b, c and, d', p: 'x' }]],
    ['after a cell of two lines', '"n\nm";p\nA;x\n', [{ 'n\nm': 'A', p: 'x' }]],
    ['after a cell with other delimiters', '"a,b,c,d";p\nA;x\n', [{ 'a,b,c,d': 'A', p: 'x' }]],
    ['of one cell in quotes', '"n"\n"A;B"\n', [{ n: 'A;B' }]],
    ['without an end of the line', 'n;p', []],
    ['that a line before the header names', 'sep=;\r\nn,a,b;p\r\nA;x\r\n', [{ 'n,a,b': 'A', p: 'x' }]],
    ['of a rare kind that such a line names', '\nSEP=|\nn|p\nA|x\n', [{ n: 'A', p: 'x' }]],
    ['tab that such a line names', 'sep=\t\nn\tp\nA "B"\tx\n', [{ n: 'A "B"', p: 'x' }]],
    ['in a header that begins like such a line', 'sep=,n\nA,x\n', [{ 'sep=': 'A', n: 'x' }]],
  ])('%s', async (_, text, records) => {
    expect(await recordsOf(text, length)).toEqual(records);
  });
});

describe.each([1, 2, 1000])('quotes in a file with tabs, in parts of %i characters', (length) => {
  test.each<[what: string, text: string, records: object[]]>([
    ['inside a cell', 'n\tp\nA "B" C\tx\n', [{ n: 'A "B" C', p: 'x' }]],
    ['around the beginning of a cell', 'n\tp\n"A" B\tx\n', [{ n: '"A" B', p: 'x' }]],
    ['around a cell', 'n\tp\n"A ""B"""\tx\n', [{ n: 'A "B"', p: 'x' }]],
    ['around two lines', 'n\tp\n"""A""\nB"\tx\n', [{ n: '"A"\nB', p: 'x' }]],
  ])('%s', async (_, text, records) => {
    expect(await recordsOf(text, length)).toEqual(records);
  });

  test.each<[what: string, text: string, message: RegExp]>([
    ['that two rows do not close', 'n\tp\nA\tx\n"B\tx\n"C" D\tx\n', /^Row 2 has text after a closing quote/],
    ['that nothing closes', 'n\tp\n"A\tx\n', /^Row 1 has a quote that is never closed/],
  ])('%s', async (_, text, message) => {
    await expect(recordsOf(text, length)).rejects.toMatchObject({
      details: [{ message: expect.stringMatching(message) }],
    });
  });
});

test('a quote inside a cell with commas is refused', async () => {
  await expect(recordsOf('n,p\nA "B" C,x\n', 1000)).rejects.toMatchObject({
    details: [{ message: expect.stringMatching(/^Row 1 has a quote inside a cell/) }],
  });
});
