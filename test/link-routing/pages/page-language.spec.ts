import { pageLanguageOf } from '../../../src/link-routing/pages/page-language';
import { pageLanguages } from '../../../src/link-routing/pages/page-texts';

test.each<[string | undefined, string]>([
  [undefined, 'en'],
  ['', 'en'],
  ...pageLanguages.map((language): [string, string] => [language, language]),
  // Subtags are removed from the end until a language remains.
  ['de-AT', 'de'],
  ['pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7', 'pt'],
  ['es-419', 'es'],
  ['ja-Jpan-JP-u-ca-japanese', 'ja'],
  ['DE-at', 'de'],
  // The next language counts if the first one is unknown.
  ['nl', 'en'],
  ['nl-NL,nl;q=0.9,fr;q=0.8,en;q=0.7', 'fr'],
  ['zh-Hant-TW, ja;q=0.5', 'ja'],
  ['deu', 'en'],
  ['den', 'en'],
  ['x-de', 'en'],
  ['i-de', 'en'],
  // The quality decides, and the order among equal ones.
  ['en;q=0.5, fr;q=0.7, it;q=0.6', 'fr'],
  ['en;q=0.8, de', 'de'],
  ['fr, de', 'fr'],
  ['fr;q=0.5, de;q=0.50', 'fr'],
  ['en;q=0.001,pl;q=0.002', 'pl'],
  [' fr ; q=0.2 ,\tit\t;Q=0.3', 'it'],
  ['de;q=1.000, fr;q=1', 'de'],
  ['de;q=0.', 'en'],
  // A quality of 0 refuses a language.
  ['de;q=0', 'en'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de-AT, de;q=0.0, it;q=0.1', 'it'],
  ['de-AT;q=0, de', 'de'],
  ['en;q=0', 'en'],
  // `*` names no language.
  ['*', 'en'],
  ['*, de;q=0.5', 'de'],
  ['de;q=0.5, *;q=0.1', 'de'],
  // Invalid ranges have no effect.
  ['de;q=2, fr;q=0.1', 'fr'],
  ['de;q=-1, fr;q=0.1', 'fr'],
  ['de;q=x, fr;q=0.1', 'fr'],
  ['de;level=1, fr;q=0.1', 'fr'],
  [';q=1,,;,-de,fr;q=0.1', 'fr'],
  ['de_DE, fr;q=0.1', 'fr'],
  ['__proto__, constructor', 'en'],
])('%p is answered in %s', (header, language) => {
  expect(pageLanguageOf(header)).toBe(language);
});

test('only the first 512 characters count', () => {
  const filled = (length: number, end: string) => `${'nl,'.repeat(300).slice(0, length - end.length)}${end}`;
  expect(pageLanguageOf(filled(512, ',de'))).toBe('de');
  expect(pageLanguageOf(filled(513, ',de'))).toBe('en');
  // An incomplete range is ignored, because its end may have refused the language.
  expect(pageLanguageOf(`${filled(512, ',de')};q=0`)).toBe('en');
});
