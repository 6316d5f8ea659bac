import { csvList, csvRecord } from '../../../src/management-api/kit/csv';
import { readCsv, withoutApostrophes } from '../../support/csv';
import { fc, runs } from '../../support/properties';

test.each([
  ['plain text', 'Summer', 'Summer'],
  ['null', null, ''],
  ['an empty text', '', '""'],
  ['a number', 12, '12'],
  ['a boolean', false, 'false'],
  ['a comma', 'a,b', '"a,b"'],
  ['quotation marks', 'the "best"', '"the ""best"""'],
  ['line breaks', 'a\r\nb', '"a\r\nb"'],
  ['a separator of other locales', 'a;b', '"a;b"'],
  ['white space at an end', ' a', '" a"'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula of a call', '=HYPERLINK("http://evil.example";"x")', `"'=HYPERLINK(""http://evil.example"";""x"")"`],
  ['a plus', '+49 30 1', "'+49 30 1"],
  ['a minus', '-2', "'-2"],
  ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
  ['full-width signs', '＝1', "'＝1"],
  ['a formula after spaces', '  =1', "'  =1"],
  ['a formula after a tab', '\t=1', `"\t'=1"`],
  ['a formula after a line break', '\n=1', `"\n'=1"`],
  ['a formula after a semicolon', 'a;=1', `"a;'=1"`],
  ['an apostrophe before a formula', "'=1", "''=1"],
  ['an apostrophe before a word', "'tis", "'tis"],
  ['a sign within', 'a=b', 'a=b'],
])('writes %s', (_, value, written) => {
  expect(csvRecord([value, 'x'])).toBe(`${written},x\r\n`);
});

test('writes lists as a record in one cell', () => {
  expect(csvList(['Newsletter', 'Summer, late', 'the "best"'])).toBe('Newsletter, "Summer, late", "the ""best"""');
  expect(csvList(['[1]', '{}', 'a|b', 'c[d]'])).toBe('"[1]", "{}", "a|b", c[d]');
});

const hostileText = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', '＝', "'", '"', ',', ';', ' ', '\t', '\r', '\n', 'a', '1'),
});

test('no cell begins a formula, for any separator, and every text can be restored', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (texts) => {
      const csv = csvRecord(texts);
      const [cells] = readCsv(csv);
      for (const cell of cells!) expect(cell).not.toMatch(/(?:^|[;\t\r\n]) *[=+\-@＝]/);
      expect(cells!.map((cell) => withoutApostrophes(cell!))).toEqual(texts);
    }),
    runs(2000),
  );
});
