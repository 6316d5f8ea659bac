import { BrokenFile, maxRowBytes } from '../../../src/imports/model/file-row';
import { readFile } from './read-file';

const tooLong = 'The row has more than 250 kB';
const large = 'x'.repeat(maxRowBytes);

describe.each([1, 2, 3, 1000])('arrays, in reads of %i bytes', (bytes) => {
  test.each<[text: string, elements: (string | null)[]]>([
    [' [ {} ] \n', [' {} ']],
    ['\uFEFF[{"n":"x"}]', ['{"n":"x"}']],
    ['[{"n":"x"}, {"n":"]}"}]', ['{"n":"x"}', ' {"n":"]}"}']],
    ['{"links":[1,[2]]}', ['1', '[2]']],
    ['{"a":{"b":"[\\""},"links":[{}],"c":{}}', ['{}']],
    ['{"shortUrls":{"data":[{},{}],"pagination":{"currentPage":1}}}', ['{}', '{}']],
    ['[1,,2]', ['1', '', '2']],
    ['[1,]', ['1']],
    ['[{"a":[}]]', ['{"a":[}]']],
    ['["\\\\","\\"]"]', ['"\\\\"', '"\\"]"']],
  ])('%s', async (text, elements) => {
    expect((await readFile('json', text, bytes)).map((row) => row.text)).toEqual(elements);
  });

  test.each([
    ['', 'The file has no array of objects'],
    ['{}', 'The file has no array of objects'],
    ['7', 'The file has no array of objects'],
    ['[]', 'The file has no rows'],
    [' [ ] \n', 'The file has no rows'],
    ['[1', 'The file ends before its array does'],
    ['{"a":[1]', 'The file is not valid JSON around its array'],
    ['[1]]', 'The file is not valid JSON around its array'],
    ['[{"n":"x"}}', 'The file is not valid JSON around its array'],
    ['[1][2]', 'The file is not valid JSON around its array'],
    ['{"a":[1],"b":[2]}', 'The file has more than one array; send one'],
    ['{"a":[],"b":"\\"[","c":[2]}', 'The file has more than one array; send one'],
    ['[1] {"n":"lost"} 1 2', 'The file is not valid JSON around its array'],
    ['<html>[1]</html>', 'The file is not valid JSON around its array'],
    ['{"a":[1]}{"b":1}', 'The file is not valid JSON around its array'],
    ['{"a":[1]]', 'The file is not valid JSON around its array'],
    ['{"a" [1]}', 'The file is not valid JSON around its array'],
    ['{"a":{"b":{"c":{"d":[1]}}}}', 'The file has no array of objects, or its array lies deeper'],
    [`{"a":"${'x'.repeat(70_000)}","b":[1]}`, 'The file has no array of objects'],
    [`{"a":[1],"b":"${'x'.repeat(70_000)}"}`, 'The file has too much text behind its array'],
    ['['.repeat(1000), 'The file ends before its array does'],
  ])('%.60s is refused', async (text, message) => {
    await expect(readFile('json', text, bytes)).rejects.toMatchObject({ details: [{ path: [], message }] });
  });
});

test('a file that breaks behind its head ends the import', async () => {
  for (const text of ['[1,2', '[1,2}', '{"a":[1],"b":[2]}'])
    await expect(readFile('json', text, 1000, false)).rejects.toBeInstanceOf(BrokenFile);
});

test.each<[text: string, faults: (string | null)[]]>([
  [`["${large}",{}]`, [tooLong, null]],
  [
    `[{},${'{},'.repeat(3)}${'['.repeat(maxRowBytes + 1)}${']'.repeat(maxRowBytes + 1)},{}]`,
    [null, null, null, null, tooLong, null],
  ],
  [`[{},"${'\\"'.repeat(maxRowBytes)}"]`, [null, tooLong]],
  [`[${'['.repeat(40)}${']'.repeat(40)}]`, ['The row nests arrays and objects too deep']],
  [`[[${'1,'.repeat(4000)}1]]`, ['The row has too many values']],
  ['[[1],1,null]', ['The row must be a JSON object', 'The row must be a JSON object', 'The row must be a JSON object']],
])('elements that are no records are refused alone: %.40s', async (text, faults) => {
  expect((await readFile('json', text, 65_536)).map(({ fault }) => fault)).toEqual(faults);
});

describe.each([1, 3, 65_536])('lines, in reads of %i bytes', (bytes) => {
  test('that are blank are left out', async () => {
    const rows = await readFile('ndjson', '\uFEFF\n{"a":"1"}\r\n \n{"a":"ö"}\nno json\n7', bytes);
    expect(rows.map(({ record, fault }) => record ?? fault)).toEqual([
      { a: '1' },
      { a: 'ö' },
      'The row is not valid JSON',
      'The row must be a JSON object',
    ]);
  });
});

test('lines that are too long are refused alone', async () => {
  const rows = await readFile('ndjson', `{"a":"1"}\n"${large.repeat(5)}"\n{"a":"2"}\n${large}x`, 65_536);
  expect(rows.map(({ record, fault }) => record ?? fault)).toEqual([{ a: '1' }, tooLong, { a: '2' }, tooLong]);
});
