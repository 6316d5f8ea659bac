import { csvList, csvRecord } from '../../../src/api-kit/kit/csv';
import { charactersOfFormulas, readCsv, withoutApostrophes } from '../../support/csv';
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
  ['a formula after a no-break space', '\u00A0=1', "'\u00A0=1"],
  ['a formula after a zero-width space', '\u200B=1', "'\u200B=1"],
  ['a formula after a byte order mark', '\uFEFF=1', "'\uFEFF=1"],
  ['a formula after a next line', '\u0085=1', "'\u0085=1"],
  ['a formula after a tag, beyond the basic plane', '\u{E0020}=1', "'\u{E0020}=1"],
  ['a full-width formula after a mix', "\u3000' \u202E\u2028'＋1", "'\u3000' \u202E\u2028'＋1"],
  ['a formula after a semicolon and a no-break space', 'a;\u00A0=1', `"a;'\u00A0=1"`],
  ['a formula after a no-break space and a tab', '\u00A0\t=1', `"\u00A0\t'=1"`],
  ['a zero-width space before a word', '\u200Ba=1', '\u200Ba=1'],
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

const hostileText = fc.string({ unit: fc.constantFrom(...charactersOfFormulas) });

test('no cell begins a formula, for any separator, and every text can be restored', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (texts) => {
      const csv = csvRecord(texts);
      const [cells] = readCsv(csv);
      for (const cell of cells!)
        for (const part of cell!.split(/[;\t\r\n]/))
          expect(part.replace(/^[\p{White_Space}\p{Cf}]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
      expect(cells!.map((cell) => withoutApostrophes(cell!))).toEqual(texts);
    }),
    runs(2000),
  );
});
