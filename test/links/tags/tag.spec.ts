import fc from 'fast-check';
import { foldTag as foldInClient } from '../../../clients/typescript/src/command/text';
import { foldTag, tagNames } from '../../../src/links/tags/tag';

test.each([
  ['Summer', 'sUMMER'],
  ['ÄRGER', 'ärger'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδοσ', 'οδος'],
  ['STRASSE', 'straße'],
  ['e\u0301', 'É'],
  ['STRAẞE', 'straße'],
  ['STRAẞE', 'strasse'],
  ['\u0390', '\u03AA\u0301'],
  ['\u0390', '\u03B9\u0308\u0301'],
  ['\u1FB7', '\u0391\u0342\u0399'],
])('%s and %s are one tag', (one, other) => {
  expect(foldTag(one)).toBe(foldTag(other));
});

test('each letter folds once, with all its forms, and alike in the client', () => {
  const wrong: string[] = [];
  for (let point = 1; point <= 0x10ffff; point++) {
    const letter = String.fromCodePoint(point);
    // Most code points are not assigned, and have no forms.
    if (/\p{C}/u.test(letter)) continue;
    const folded = foldTag(letter);
    const forms = new Set([
      folded,
      letter.toUpperCase(),
      letter.toLowerCase(),
      letter.normalize('NFC'),
      letter.normalize('NFD'),
    ]);
    if ([...forms].some((form) => foldTag(form) !== folded) || foldInClient(letter) !== folded)
      wrong.push(point.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('a folded name of any letters folds to itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (name) => {
      expect(foldTag(foldTag(name))).toBe(foldTag(name));
    }),
  );
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
