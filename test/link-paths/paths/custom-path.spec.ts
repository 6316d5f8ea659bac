import { customPath, generateCustomPath, isReserved, linkPath } from '../../../src/link-paths/paths/custom-path';
import { qrCodeUrl } from '../../../src/link-paths/paths/reserved-parameters';
import { dynamicLinkFields } from '../../contracts/fields';

const { accepts, refuses } = dynamicLinkFields['custom_path']!;

test.each(accepts)('the custom path %s is accepted', (given) => {
  expect(customPath.safeParse(given)).toEqual({ value: given });
  expect(new URL(`http://summer.localhost/${String(given)}`).pathname).toBe(`/${String(given)}`);
});

test.each(refuses)('the custom path %j is refused with %s', (given, code) => {
  expect(customPath.safeParse(given)).toMatchObject({ problems: [{ code, path: [] }] });
});

test.each([
  [7, 'must be a string'],
  ['', 'must not be empty'],
  ['x'.repeat(51), 'must have at most 50 characters'],
  [
    'a//b',
    'must consist of segments of letters, digits and - _ . ~ joined by single slashes, begin with a letter or digit, and have no segment that ends with a dot',
  ],
  ['robots.txt', 'is reserved; choose another one'],
])('the message for the custom path %j is: %s', (given, message) => {
  expect(customPath.safeParse(given)).toMatchObject({ problems: [{ message }] });
});

test.each(['a.', 'a...', 'a./b', 'a/b.', 'a/...'])('the stored path %s is read', (given) => {
  expect(linkPath.safeParse(given)).toEqual({ value: given });
});

test.each(['a/.', 'a/..', 'a/./b', 'a//b', '.a', 'robots.txt'])('no stored path is %s', (given) => {
  expect(linkPath.tryParse(given)).toBeNull();
});

test('the JSON schema of the rule contains its limits', () => {
  const not = { enum: expect.arrayContaining(['robots.txt']) as string[] };
  expect(customPath.schema).toMatchObject({ type: 'string', minLength: 1, maxLength: 50, not });
  expect(linkPath.schema.not).toMatchObject({ anyOf: [{ type: 'string' }, not] });
  expect(['robots.txt', 'sale'].map(isReserved)).toEqual([true, false]);
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
