import { foldTag, tagNames } from '../../../src/management-api/tags/tag';

test.each([
  ['Summer', 'sUMMER'],
  ['ÄRGER', 'ärger'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδοσ', 'οδος'],
  ['STRASSE', 'straße'],
  ['e\u0301', 'É'],
])('%s and %s are one tag', (one, other) => {
  expect(foldTag(one)).toBe(foldTag(other));
});

test.each([
  ['a', ' a'],
  ['a', 'ä'],
  ['a b', 'a  b'],
])('%j and %j are two tags', (one, other) => {
  expect(foldTag(one)).not.toBe(foldTag(other));
});

test.each([
  [[], []],
  [
    ['b', 'a'],
    ['b', 'a'],
  ],
  [
    ['Sale', 'b', 'SALE', 'sale', 'B'],
    ['Sale', 'b'],
  ],
])('the names %j are read as %j', (given, read) => {
  expect(tagNames.parse(given)).toEqual(read);
});

test.each([
  ['a', 'invalid_type', []],
  [[1], 'invalid_type', [0]],
  [['a', ''], 'too_small', [1]],
  [['a', null], 'invalid_type', [1]],
  [['a', 'b'.repeat(51)], 'too_big', [1]],
  [['a\0'], 'invalid_format', [0]],
  [Array.from({ length: 21 }, () => 'a'), 'too_big', []],
])('the names %j are refused with %s', (given, code, path) => {
  expect(tagNames.safeParse(given)).toMatchObject({ problems: [{ code, path }] });
});
