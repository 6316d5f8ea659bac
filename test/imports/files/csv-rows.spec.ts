import { maxRowBytes } from '../../../src/imports/model/file-row';
import { readFile } from './read-file';
import { csvRecord } from '../../../src/api-kit/kit/csv';
import { csvColumns } from '../../../src/links/export/link-formats';
import { charactersOfFormulas } from '../../support/csv';
import { fc, runs } from '../../support/properties';

/** The fault of each row, or its record. */
const resultsOf = async (text: string, bytes: number): Promise<unknown[]> =>
  (await readFile('csv', text, bytes)).map(({ record, fault }) => fault ?? record);

const textAfter = 'The row has text after a closing quote; write a quote inside a cell twice';
const unclosed = 'The row has a quote that is never closed';
const inside =
  'The row has a quote inside a cell that does not begin with one; write the cell in quotes, and that quote twice';

describe.each([1, 2, 1000])('rows in reads of %i bytes', (bytes) => {
  const [one, two] = [
    { n: 'A', p: 'x' },
    { n: 'B', p: 'y' },
  ];
  test.each<[what: string, text: string, results: unknown[]]>([
    // Mixed line ends
    ['LF, then CRLF', 'n,p\nA,x\r\nB,y\r\n', [one, two]],
    ['CRLF, then LF', 'n,p\r\nA,x\nB,y\n', [one, two]],
    ['CR, then CRLF', 'n,p\rA,x\r\nB,y', [one, two]],
    ['LF, then CRLF, after quoted cells', 'n,"p"\nA,"x"\r\nB,"y"\r\n', [one, two]],
    ['CRLF, then LF, after quoted cells', 'n,"p"\r\nA,"x"\nB,"y"\n', [one, two]],
    ['all of them in a cell', 'n,p\nA,"1\r\n2\n3\r4"\r\n', [{ n: 'A', p: '1\r\n2\n3\r4' }]],
    ['blank lines', 'n,p\n\r\nA,x\r\n\n\rB,y\n', [one, two]],
    ['a byte order mark', '\uFEFFn,p\nA,x\nB,y', [one, two]],
    // The delimiter
    ['comma', 'n,p\nA,x\n', [{ n: 'A', p: 'x' }]],
    ['semicolon', 'n;p\nA, B, C;x\n', [{ n: 'A, B, C', p: 'x' }]],
    ['tab', 'n\tp\nA;B\tx\n', [{ n: 'A;B', p: 'x' }]],
    ['after blank lines', '\r\n\r\nn;p\r\nA;x\r\n', [{ n: 'A', p: 'x' }]],
    ['before CR alone', 'n;p\rA, b, c and, d;x\r', [{ n: 'A, b, c and, d', p: 'x' }]],
    ['after a cell of two lines', '"n\nm";p\nA;x\n', [{ 'n\nm': 'A', p: 'x' }]],
    ['after a cell with other delimiters', '"a,b,c,d";p\nA;x\n', [{ 'a,b,c,d': 'A', p: 'x' }]],
    ['of one cell in quotes', '"n"\n"A;B"\n', [{ n: 'A;B' }]],
    ['that a line before the header names', 'sep=;\r\nn,a,b;p\r\nA;x\r\n', [{ 'n,a,b': 'A', p: 'x' }]],
    ['of a rare kind that such a line names', '\nSEP=|\nn|p\nA|x\n', [{ n: 'A', p: 'x' }]],
    ['tab that such a line names', 'sep=\t\nn\tp\nA "B"\tx\n', [{ n: 'A "B"', p: 'x' }]],
    ['in a header that begins like such a line', 'sep=,n\nA,x\n', [{ 'sep=': 'A', n: 'x' }]],
    // Cells
    [
      'empty ones',
      'n,p\n,\n"",""\n',
      [
        { n: '', p: '' },
        { n: '', p: '' },
      ],
    ],
    ['with quotes', 'n,p\n"A ""B""","""",\n', [{ n: 'A "B"', p: '"' }]],
    ['without the empty ones at the end', 'n,p,q\nA\n', [{ n: 'A' }]],
    ['with further empty ones at the end', 'n,p\nA,x,,"",\n', [{ n: 'A', p: 'x' }]],
    ['with a further one that has text', 'n,p\nA,x,,y\n', ['The row has 4 cells, and the header 2']],
    ['of 1,000 columns', `n,p\nA${','.repeat(999)}\n`, [{ n: 'A', p: '' }]],
    ['of 1,001 columns', `n,p\nA${','.repeat(1000)}\n`, ['The row has more than 1000 cells']],
    ['of letters of two to four bytes', 'ä,ö\n"€😀",\u00e9\n', [{ ä: '€😀', ö: 'é' }]],
    // Quotes in a file with tabs
    ['inside a cell', 'n\tp\nA "B" C\tx\n', [{ n: 'A "B" C', p: 'x' }]],
    ['around the beginning of a cell', 'n\tp\n"A" B\tx\n', [{ n: '"A" B', p: 'x' }]],
    ['around a cell', 'n\tp\n"A ""B"""\tx\n', [{ n: 'A "B"', p: 'x' }]],
    ['around two lines', 'n\tp\n"""A""\nB"\tx\n', [{ n: '"A"\nB', p: 'x' }]],
    // Quotes that do not match refuse their line alone
    ['text behind a cell', 'n,p\n"A" B,x\nB,y\n', [textAfter, two]],
    ['a quote inside a cell', 'n,p\nA "B" C,x\nB,y\n', [inside, two]],
    ['nothing closes it', 'n,p\nB,y\n"A,x\nB,y\n', [two, unclosed, two]],
    ['another row closes it', 'n,p\n"A,x\n"B",y\n', [textAfter, two]],
    ['in the last line', 'n,p\nB,y\n"A', [two, unclosed]],
    ['many of them', `n,p\n${'"A,x\n'.repeat(3)}B,y\n`, [textAfter, textAfter, unclosed, two]],
    ['before CR alone', 'n,p\r"A" B,x\rB,y\r', [textAfter, two]],
    ['before CRLF', 'n,p\r\n"A" B,x\r\nB,y\r\n', [textAfter, two]],
    ['of tabs, that two rows do not close', 'n\tp\nB\ty\n"B\tx\n"C" D\tx\n', [two, textAfter, { n: '"C" D', p: 'x' }]],
    ['of tabs, that nothing closes', 'n\tp\n"A\tx\nB\ty\n', [unclosed, two]],
  ])('%s', async (_, text, results) => {
    expect(await resultsOf(text, bytes)).toEqual(results);
  });
});

const tooLong = 'The row has more than 250 kB';
const large = 'x'.repeat(maxRowBytes);
test.each<[what: string, text: string, results: unknown[]]>([
  ['one cell', `n\n${large}\nB\n`, [{ n: large }, { n: 'B' }]],
  ['one cell with one byte more', `n\n${large}x\nB\n`, [tooLong, { n: 'B' }]],
  ['a cell of megabytes', `n\n${large.repeat(10)}\r\nB`, [tooLong, { n: 'B' }]],
  ['a cell of megabytes in quotes', `n\n"${large.repeat(10)}"\nB`, [tooLong, { n: 'B' }]],
  ['separators', `n\n${','.repeat(3 * maxRowBytes)}\nB\n`, [tooLong, { n: 'B' }]],
  ['quoted cells', `n\n${'"",'.repeat(maxRowBytes)}\nB\n`, [tooLong, { n: 'B' }]],
  ['an open quote', `n\n"A\n${'B\n'.repeat(2)}${large}x\n`, [unclosed, { n: 'B' }, { n: 'B' }, tooLong]],
  ['the last one', `n\nB\n${large}x`, [{ n: 'B' }, tooLong]],
])('rows that are too large are refused alone: %s', async (_, text, results) => {
  expect(await resultsOf(text, 65_536)).toEqual(results);
});

test.each([
  ['a repeated column', 'n,p,n\nA,b,c\n', 'The header has the column n more than once; rename one'],
  ['very many columns', `${','.repeat(100_000)}\nA\n`, 'The header has more than 1000 columns'],
  ['long names', `${'x'.repeat(70_000)}\nA\n`, 'The header has more than 64 kB'],
  ['an open quote', '"n,p\nA,b', 'The header has a quote that is never closed'],
  ['a delimiter that is no ASCII character', 'sep=→\nn→p\n', 'The delimiter → is no ASCII character'],
  ['no rows', 'n,p\n', 'The file has no rows'],
  ['nothing', '', 'The file has no rows'],
  ['blank lines only', '\n\r\n', 'The file has no rows'],
])('a file with %s is refused', async (_, text, message) => {
  await expect(readFile('csv', text, 1000)).rejects.toMatchObject({
    details: [{ path: [], message: expect.stringContaining(message) }],
  });
});

test('a header that the head does not contain is refused', async () => {
  for (const text of [`n,p${'x'.repeat(1000)}`, '\n\n'])
    await expect(readFile('csv', text, 1000, false)).rejects.toMatchObject({
      details: [{ message: expect.stringContaining('The header has more than 64 kB') }],
    });
});

test('bytes that are no UTF-8 refuse the row, or the file if they are in its head', async () => {
  const file = Buffer.concat([Buffer.from('n\nA\n'), Buffer.from([0xe9, 0x0a]), Buffer.from('B\n')]);
  await expect(readFile('csv', file, 1000)).rejects.toMatchObject({
    details: [{ message: 'The file is not UTF-8; save it as UTF-8, or set the option encoding to windows-1252' }],
  });
});

describe('a file in Windows-1252', () => {
  // `name;Straße`, and cells with each byte from 0x80 on, with quotes and line breaks between them.
  const high = Buffer.from(Array.from({ length: 128 }, (_, at) => 0x80 + at));
  const file = Buffer.concat([
    Buffer.from('name;Stra\xdfe\r\nA;"', 'latin1'),
    high,
    Buffer.from('"\r\n"\x80;\n""";\x9c\r\n', 'latin1'),
  ]);
  const characters =
    '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ' +
    '\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ';

  test.each([1, 7, 1000])('header and rows are decoded by reads of %d bytes', async (bytes) => {
    expect((await readFile('csv', file, bytes, true, 'windows-1252')).map(({ record }) => record)).toEqual([
      { name: 'A', Straße: characters },
      { name: '€;\n"', Straße: 'œ' },
    ]);
  });

  test.each(['json', 'ndjson'] as const)('%s is decoded, too', async (format) => {
    const row = '{"name":"Stra\xdfe \x80"}';
    const text = Buffer.from(format === 'json' ? `[${row}]` : row, 'latin1');
    expect((await readFile(format, text, 1000, true, 'windows-1252'))[0]!.record).toEqual({ name: 'Straße €' });
  });

  test.each<[what: string, file: Buffer, message: string]>([
    ['of UTF-8', Buffer.from('\uFEFFname\nA\n'), 'byte order mark of UTF-8; leave out the option encoding'],
    ['of UTF-16', Buffer.from('\uFEFFname\nA\n', 'utf16le'), 'The file is in UTF-16'],
  ])('a mark %s is refused', async (_, marked, message) => {
    await expect(readFile('csv', marked, 1000, true, 'windows-1252')).rejects.toMatchObject({
      details: [{ message: expect.stringContaining(message) }],
    });
  });
});

test.each<[what: string, header: string[]]>([
  ['an export', csvColumns],
  ['a report', ['signpost_row', 'name']],
])('the texts of %s are read as they were before it was written', async (_, header) => {
  const text = fc.string({ unit: fc.constantFrom(...charactersOfFormulas) });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
      const rows = texts.map((one) => header.map((column) => (column === 'name' ? one : '1')));
      const read = await readFile('csv', [header, ...rows].map((record) => csvRecord(record)).join(''), 1000);
      expect(read).toMatchObject(texts.map((one) => ({ record: { name: one } })));
    }),
    runs(500),
  );
});
