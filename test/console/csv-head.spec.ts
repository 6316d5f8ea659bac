import { load } from './load';

interface CsvHead {
  columns: string[];
  rows: string[][];
  repeated: string | null;
}

const { csvHead } = load('pages/imports/csv-head');

const head = (columns: string[], ...rows: string[][]): CsvHead => ({ columns, rows, repeated: null });

test.each<[what: string, text: string, expected: CsvHead | null]>([
  ['commas', 'a,b\n1,2\n', head(['a', 'b'], ['1', '2'])],
  ['semicolons', 'a;b,c;d\r\n1;2;3\r\n', head(['a', 'b,c', 'd'], ['1', '2', '3'])],
  ['tabs, and no line end', 'a\tb\n1\t2', head(['a', 'b'], ['1', '2'])],
  ['ends of lines as in old files', 'a,b\r1,2\r', head(['a', 'b'], ['1', '2'])],
  ['a byte order mark before a quote', '\u{feff}"a",b\n1,2\n', head(['a', 'b'], ['1', '2'])],
  ['quotes', 'a,b\n"1, ""one""\nmore",2\n', head(['a', 'b'], ['1, "one"\nmore', '2'])],
  ['delimiters in a quoted header', '"a;b;c;d",e\n1,2\n', head(['a;b;c;d', 'e'], ['1', '2'])],
  ['a quote inside a cell', 'a,b\n5" disk,2\n', head(['a', 'b'], ['5" disk', '2'])],
  ['blanks and empty names', ' a ,,b\n1,2,3\n', head(['a', 'column_2', 'b'], ['1', '2', '3'])],
  ['empty lines', '\n\na,b\n\n1,2\n', head(['a', 'b'], ['1', '2'])],
  ['empty lines before semicolons', '\n\na;b\n1;2\n', head(['a', 'b'], ['1', '2'])],
  ['a line break in a quoted header, before semicolons', '"a\nx";b\n1;2\n', head(['a\nx', 'b'], ['1', '2'])],
  ['semicolons and ends of lines as in old files', 'a;b\r1,5;2,5\r', head(['a', 'b'], ['1,5', '2,5'])],
  ['rows with too few and too many cells', 'a,b\n1\n1,2,3\n', head(['a', 'b'], ['1', ''], ['1', '2'])],
  ['only a header', 'a,b', head(['a', 'b'])],
  ['more rows than are shown', `a\n${'1\n'.repeat(9)}`, head(['a'], ...Array<string[]>(5).fill(['1']))],
  ['a header whose quote is never closed', '"a,b\n1,2\n', null],
  ['nothing', '\n', null],
  ['a line that names the delimiter', 'sep=;\r\na,b;c\r\n1;2\r\n', head(['a,b', 'c'], ['1', '2'])],
  ['a line that names a rare delimiter', 'sep=|\na|b\n1|2\n', head(['a', 'b'], ['1', '2'])],
  ['a name that repeats', 'a,b, a\n', { columns: ['a', 'b', 'a'], rows: [], repeated: 'a' }],
])('the head of a file with %s', (_, text, expected) => {
  expect(csvHead(text, true)).toEqual(expected);
});

test('a row that the beginning of a file cuts is left out', () => {
  expect(csvHead('a,b\n1,2\n3,', false)).toEqual(head(['a', 'b'], ['1', '2']));
  expect(csvHead('a,b,c', false)).toBeNull();
});

test('a corrected report has the columns of the file, also if people deleted some of the others', () => {
  const own = 'signpost_row,signpost_outcome,signpost_field,signpost_reason,signpost_unmapped';
  expect(csvHead(`${own},a\n1,refused,a,is wrong,,x\n`, true)).toEqual(head(['a'], ['x']));
  expect(csvHead('signpost_row,a\n1,x\n', true)).toEqual(head(['a'], ['x']));
});
