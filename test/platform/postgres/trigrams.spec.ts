import { hasTrigram, trigramsOf } from '../../../src/platform/postgres/trigrams';

test.each([
  ['abc', true, true],
  ['ab', false, false],
  ['a b', true, true],
  ['ab-', true, true],
  ['-a', true, true],
  ['a-', false, false],
  ['a--', false, false],
  ['---', false, false],
  ['漢字表', true, false],
  ['üßé', true, false],
  ['rün', true, true],
  ['ün', false, true],
])('%j has a trigram: %s with all letters, %s with those of ASCII', (text, withAll, withAscii) => {
  expect([hasTrigram(text, true), hasTrigram(text, false)]).toEqual([withAll, withAscii]);
});

test.each([
  ['ab', true, []],
  ['abab-aba', true, ['aba 0', 'bab 0']],
  ['abc de fgh', true, ['abc 0', 'fgh 2']],
  ['rün', true, ['rün 0']],
  ['rün wort', false, ['wor 2', 'ort 2']],
  ['😀abc', true, ['abc 1']],
  // The lower case of a capital sigma depends on the next letter, which a part may lack.
  ['οδοΣ', true, ['οδο 0']],
])('%j with all letters: %s has the trigrams %j', (text, hasAllLetters, expected) => {
  expect(trigramsOf(text, hasAllLetters).map((trigram) => `${trigram.text} ${trigram.word}`)).toEqual(expected);
});
