import { hasTrigram } from '../../../src/platform/postgres/trigrams';

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
