import { referringHost } from '../../../src/link-routing/visitor/referring-host';

const long = `https://www.example.com/${'x'.repeat(600)}`;

test.each<[string, string | undefined, string | null]>([
  ['a page', 'https://www.example.com/path?q=1#f', 'www.example.com'],
  ['a page without TLS', 'http://example.com', 'example.com'],
  ['capitals', 'HTTPS://WWW.Example.COM/', 'www.example.com'],
  ['a port', 'https://example.com:8443/', 'example.com'],
  ['a user', 'https://user:secret@example.com/', 'example.com'],
  ['an Android app', 'android-app://com.google.android.gm/', 'com.google.android.gm'],
  ['an Android app in capitals', 'android-app://com.Example.App', 'com.example.app'],
  ['an address', 'http://192.0.2.1/x', '192.0.2.1'],
  ['an IPv6 address', 'http://[2001:DB8::1]/x', '[2001:db8::1]'],
  ['an underscore', 'https://a_b.example.com/', 'a_b.example.com'],
  ['a URL too long to be remembered', long, 'www.example.com'],
  ['no header', undefined, null],
  ['an empty header', '', null],
  ['a text', 'example.com', null],
  ['another scheme', 'ftp://example.com/', null],
  ['a script', 'javascript:alert(1)', null],
  ['an extension', 'chrome-extension://abcdef/', null],
  ['a space', 'https://example.com/a b', null],
  ['a line break', 'https://example.com/\n', null],
  ['other bytes in front', '\u00fchttps://example.com/', null],
  ['other bytes behind', 'https://example.com/\u00fc', null],
  ['an app without a name', 'android-app:///x', null],
  ['a name with other characters', 'android-app://com.example.app$/', null],
  ['other characters in front of the name', 'android-app://$com.example/', null],
  ['a name of 253 characters', `android-app://${'a'.repeat(253)}/`, 'a'.repeat(253)],
  ['a name of 254 characters', `android-app://${'a'.repeat(254)}/`, null],
  ['a long text', 'x'.repeat(600), null],
])('%s', (_, referrer, host) => {
  expect(referringHost(referrer)).toBe(host);
  // The second call reads the cache.
  expect(referringHost(referrer)).toBe(host);
});
