import { customPath, generateCustomPath, linkPath } from '../../../src/links/link-paths/custom-path';
import { qrCodeUrl } from '../../../src/links/link-paths/reserved-parameters';
import type { Problem } from '../../../src/shared/problem';

test.each([
  'a',
  '7',
  'Sale',
  'summer-sale_2027.v1~x',
  'a/b',
  'a/-',
  'a/~b/_c',
  'a/.b',
  'a/..b',
  'a/b.c',
  'a/robots.txt',
  'Robots.txt',
  'x'.repeat(50),
])('the custom path %s is accepted', (given) => {
  expect(customPath.safeParse(given)).toEqual({ value: given });
});

const form =
  'must consist of segments of letters, digits and - _ . ~ joined by single slashes, begin with a letter or digit, and have no segment that ends with a dot';

test.each<[unknown, Problem['code'], string]>([
  ['', 'too_small', 'must not be empty'],
  ['x'.repeat(51), 'too_big', 'must have at most 50 characters'],
  [7, 'invalid_type', 'must be a string'],
  ...['/', '/a', 'a/', 'a//b', '-a', '.a', '_a', '~a', 'a b', 'aé', 'a?b', 'a#b', 'a%20', 'a\\b', 'a\n'].map(
    (given): [string, Problem['code'], string] => [given, 'invalid_format', form],
  ),
  ...['a.', 'a..', 'a./b', 'a/b.', 'a/b./c', 'a/...', 'a/.', 'a/..', 'a/./b', 'a/../b', 'a/b/..', 'a/b c', 'a/é'].map(
    (given): [string, Problem['code'], string] => [given, 'invalid_format', form],
  ),
  ['robots.txt', 'invalid_format', 'is reserved; choose another one'],
  ['favicon.ico', 'invalid_format', 'is reserved; choose another one'],
  ['apple-app-site-association', 'invalid_format', 'is reserved; choose another one'],
])('the custom path %j is refused with %s, %s', (given, code, message) => {
  expect(customPath.safeParse(given)).toEqual({ problems: [{ code, path: [], message }] });
});

test.each(['a.', 'a...', 'a./b', 'a/b.', 'a/...'])('the stored path %s is read', (given) => {
  expect(linkPath.safeParse(given)).toEqual({ value: given });
});

test.each(['a/.', 'a/..', 'a/./b', 'a//b', '.a', 'robots.txt'])('no stored path is %s', (given) => {
  expect(linkPath.tryParse(given)).toBeNull();
});

test('the JSON schema of the rule contains its limits', () => {
  expect(customPath.schema).toMatchObject({ type: 'string', minLength: 1, maxLength: 50 });
  expect(customPath.schema.pattern).toMatch(/^\^/);
});

test('a generated path has eight characters from all letters and digits', () => {
  const paths = Array.from({ length: 2000 }, generateCustomPath);
  for (const path of paths) expect(path).toMatch(/^[A-Za-z0-9]{8}$/);
  expect(new Set(paths.join('')).size).toBe(62);
  expect(paths.every((path) => 'value' in customPath.safeParse(path))).toBe(true);
});

test.each([
  ['https://e.com/p', 'https://e.com/p?_via=qr'],
  ['https://e.com/p?a=1', 'https://e.com/p?a=1&_via=qr'],
])('the QR code of %s contains %s', (url, marked) => {
  expect(qrCodeUrl(url)).toBe(marked);
});
