import { destinationUrl } from '../../../src/management-api/dynamic-links/destination-url';
import type { Problem } from '../../../src/shared/problem';

test.each([
  ['https://example.com', 'https://example.com/'],
  ['http://example.com/a?b=c#d', 'http://example.com/a?b=c#d'],
  ['HTTPS://Example.COM/A', 'https://example.com/A'],
  ['HTTP://Example.COM/A', 'http://example.com/A'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com:443/', 'https://example.com/'],
  ['https://bücher.example/ü?ü#ü', 'https://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC'],
  ['https://example.com/a b', 'https://example.com/a%20b'],
  ['https://example.com/user@host', 'https://example.com/user@host'],
  ['https://example.com?mail=a@b.c', 'https://example.com/?mail=a@b.c'],
  ['https://example.com#a@b', 'https://example.com/#a@b'],
  ['https://example.com\\a@b', 'https://example.com/a@b'],
  ['https://[::1]:3000/', 'https://[::1]:3000/'],
  [`https://e.com/${'x'.repeat(2034)}`, `https://e.com/${'x'.repeat(2034)}`],
  [`https://e.com/ ${'x'.repeat(2031)}`, `https://e.com/%20${'x'.repeat(2031)}`],
])('%s is served as %s', (given, kept) => {
  expect(destinationUrl.read(given)).toEqual({ value: kept });
  expect(destinationUrl.read(kept)).toEqual({ value: kept });
});

const format = 'must be an absolute http or https URL';
const userInfo = 'must not contain a user name or password';

test.each<[string, unknown, Problem['code'], string]>([
  ['a number', 1, 'invalid_type', 'must be a string'],
  ['an empty text', '', 'invalid_format', format],
  ['a path', '/a', 'invalid_format', format],
  ['no scheme', 'example.com', 'invalid_format', format],
  ['a script', 'javascript:alert(1)', 'invalid_format', format],
  ['a script that names a URL', 'javascript://https://example.com/%0aalert(1)', 'invalid_format', format],
  ['data', 'data:text/html,https://example.com/', 'invalid_format', format],
  ['an intent', 'intent://example.com#Intent;end', 'invalid_format', format],
  ['FTP', 'ftp://example.com/', 'invalid_format', format],
  ['no slashes', 'https:example.com', 'invalid_format', format],
  ['one slash', 'https:/example.com', 'invalid_format', format],
  ['three slashes', 'https:///example.com', 'invalid_format', format],
  ['no host', 'https://?a', 'invalid_format', format],
  ['a host that cannot be', 'https://a b/', 'invalid_format', format],
  ['a port that cannot be', 'https://example.com:99999/', 'invalid_format', format],
  ['white space in front', ' https://example.com/', 'invalid_format', format],
  ['white space behind', 'https://example.com/\u00a0', 'invalid_format', format],
  ['a line break', 'https://example.com/\r\nSet-Cookie: a', 'invalid_format', format],
  ['a tab in the scheme', 'ht\ttps://example.com/', 'invalid_format', format],
  ['DEL', 'https://example.com/\u007f', 'invalid_format', format],
  ['a C1 control character', 'https://example.com/\u0085x', 'invalid_format', format],
  ['NUL', 'https://example.com/\0', 'invalid_format', 'must be Unicode text without NUL and lone surrogates'],
  ['a user', 'https://user@example.com/', 'invalid_format', userInfo],
  ['a user and a password', 'HTTP://user:secret@example.com', 'invalid_format', userInfo],
  ['an empty user', 'https://x:@example.com', 'invalid_format', userInfo],
  ['2,049 characters', `https://e.com/${'x'.repeat(2035)}`, 'too_big', 'must have at most 2048 characters'],
  [
    '2,049 characters when percent-encoded',
    `https://e.com/ ${'x'.repeat(2032)}`,
    'too_big',
    'must have at most 2048 characters when percent-encoded',
  ],
])('%s is refused', (_, given, code, message) => {
  expect(destinationUrl.read(given)).toEqual({ problems: [{ code, path: [], message }] });
});

test('the rule describes itself', () => {
  expect(destinationUrl.schema).toEqual({ type: 'string', format: 'uri', maxLength: 2048 });
});
