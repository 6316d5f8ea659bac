import { allowsDestination, destinationHost, destinationHosts } from '../../src/shared/destination-host';

const described = new RegExp(destinationHost.schema.pattern!, 'u');

test.each([
  ['shop.example.com', 'shop.example.com'],
  ['SHOP.Example.com.', 'shop.example.com'],
  ['*.example.com', '*.example.com'],
  ['shop.example.com:8443', 'shop.example.com:8443'],
  ['*.Example.com:65535', '*.example.com:65535'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['*.bücher.example', '*.xn--bcher-kva.example'],
  ['a.b.c.d.example.com', 'a.b.c.d.example.com'],
  [`${'a.'.repeat(125)}com`, `${'a.'.repeat(125)}com`],
])('%s is kept as %s', (given, kept) => {
  expect(destinationHost.safeParse(given)).toEqual({ value: kept });
  expect(given).toMatch(described);
});

test.each([
  ...['https://shop.example.com', 'shop.example.com/sale', 'ann@shop.example.com', 'shop example.com', '*.', 'a.*.com'],
  ...[
    'shop.example.com:',
    'shop.example.com:0',
    'shop.example.com:655365',
    'shop.example.com:80:80',
    'shop.example.com:x',
  ],
])('%j does not match the pattern of the API description', (given) => {
  expect(given).not.toMatch(described);
});

test.each([
  ...['*', '*.com', 'com', 'localhost', '*example.com', 'a.*.example.com', '*.*.example.com', 'shop.example.*'],
  ...['https://shop.example.com', 'shop.example.com/sale', 'shop.example.com?', 'ann@shop.example.com'],
  ...['shop.example.com:', 'shop.example.com:0', 'shop.example.com:65536', 'shop.example.com:80:80'],
  ...['127.0.0.1', '2130706433', '[::1]', 'shop example.com', 'shop.example.com\n', '-shop.example.com'],
  ...[
    'sh_op.example.com',
    '*．example.com',
    'xn--*.example.com',
    '＊.example.com',
    'shop.example.com:80\n',
    `${'a.'.repeat(126)}com`,
  ],
])('%j has the wrong form', (given) => {
  const message = 'must be a host such as shop.example.com or *.example.com, without scheme and path';
  expect(destinationHost.safeParse(given)).toEqual({ problems: [{ code: 'invalid_format', path: [], message }] });
});

test.each([
  ['', 'too_small'],
  ['a'.repeat(261), 'too_big'],
  [7, 'invalid_type'],
  [null, 'invalid_type'],
])('%j is refused: %s', (given, code) => {
  expect(destinationHost.safeParse(given)).toMatchObject({ problems: [{ code }] });
});

test('a list keeps its order, without duplicates after normalisation', () => {
  expect(destinationHosts.safeParse(['b.example.com', '*.example.com', 'B.example.com.'])).toEqual({
    value: ['b.example.com', '*.example.com'],
  });
  expect(destinationHosts.safeParse([])).toEqual({ value: [] });
});

test.each([
  ['a.example.com', [{ code: 'invalid_type', path: [] }]],
  [Array.from({ length: 51 }, (_, at) => `h${at}.example.com`), [{ code: 'too_big', path: [] }]],
  [
    ['a.example.com', '*', 7],
    [
      { code: 'invalid_format', path: [1] },
      { code: 'invalid_type', path: [2] },
    ],
  ],
])('%j is refused', (given, problems) => {
  expect(destinationHosts.safeParse(given)).toMatchObject({ problems });
});

test.each<[host: string, url: string, allowed: boolean]>([
  ['a.example.com:443', 'https://a.example.com/', true],
  ['a.example.com:443', 'https://a.example.com:443/', true],
  ['a.example.com:443', 'http://a.example.com:443/', true],
  ['a.example.com:443', 'http://a.example.com/', false],
  ['a.example.com:80', 'http://a.example.com/', true],
  ['a.example.com:80', 'https://a.example.com/', false],
  ['a.example.com:80', 'https://a.example.com:80/', true],
  ['a.example.com:8443', 'https://a.example.com/', false],
  ['a.example.com', 'https://a.example.com:443/', true],
  ['a.example.com', 'https://a.example.com:80/', false],
  ['*.example.com:443', 'https://a.example.com/', true],
  ['*.example.com:443', 'https://example.com/', false],
  ['*.example.com:443', 'http://a.example.com/', false],
])('%s with %s: %s', (host, url, allowed) => {
  expect(allowsDestination([host], new URL(url))).toBe(allowed);
});
