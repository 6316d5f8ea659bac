import { readFileSync } from 'node:fs';
import { openApiPath } from '../../support/api-description';

/** Returns the patterns of a part of the API description, with their places. */
function patternsIn(part: unknown, place = '#'): [place: string, pattern: string][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string'
      ? [[place, value] as [string, string]]
      : patternsIn(value, `${place}/${key}`),
  );
}

/** Syntax that ECMA-262, RE2 (Go), Rust and Python do not share. */
const unportable: [kind: string, RegExp][] = [
  ['look-around', /\(\?(?:<?[=!])/],
  ['a named group', /\(\?P?<[^=!]/],
  ['a back-reference', /\\(?:[1-9]|k)/],
  ['an escaped slash', /\\\//],
  ['a Unicode escape', /\\[upP]/],
  ['a control escape', /\\(?:c|0)/],
  ['digits, words or boundaries of Unicode', /\\[dDwWbB]/],
  ['a possessive quantifier or atomic group', /[*+?}]\+|\(\?>/],
  ['a bracket or a set operation in a class', /\[[^\]]*(?:\[|&&|--|~~)/],
  ['more than 1000 repetitions', /\{(?:\d*,)?(?:[1-9]\d{3,}|100[1-9])/],
];

const faultsOf = (pattern: string): string[] =>
  unportable.filter(([, form]) => form.test(pattern)).map(([kind]) => kind);

test.each([
  ['^(?!a)b$', 'look-around'],
  ['(?<=a)b', 'look-around'],
  ['^(?<a>b)$', 'a named group'],
  ['^(a)\\1$', 'a back-reference'],
  ['^\\/a$', 'an escaped slash'],
  ['^[^\\u0000]*$', 'a Unicode escape'],
  ['^\\0$', 'a control escape'],
  ['^\\d+$', 'digits, words or boundaries of Unicode'],
  ['^a++$', 'a possessive quantifier or atomic group'],
  ['^[@[-`]$', 'a bracket or a set operation in a class'],
  ['^a{1,2048}$', 'more than 1000 repetitions'],
])('the pattern %s has %s', (pattern, fault) => {
  expect(faultsOf(pattern)).toEqual([fault]);
});

test('generators of Go, Rust and Python can compile all patterns of openapi.json', () => {
  const patterns = patternsIn(JSON.parse(readFileSync(openApiPath, 'utf8')));
  expect(patterns.length).toBeGreaterThan(20);
  expect(patterns.filter(([, pattern]) => faultsOf(pattern).length > 0)).toEqual([]);
  for (const [, pattern] of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow();
});
