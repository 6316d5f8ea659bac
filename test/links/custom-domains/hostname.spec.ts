import { challengeNameOf, hostname, type Hostname } from '../../../src/links/custom-domains/hostname';
import type { Problem } from '../../../src/shared/problem';
import { words } from '../../support/words';

const label = (length: number) => 'a'.repeat(length);
/** Returns a host name of that length, with labels of at most 62 characters. */
const nameOfLength = (length: number): string =>
  `${label(length - 4).replace(/a{63}/g, (all) => `${all.slice(1)}.`)}.com`;

test.each([
  ['a host name', 'links.example.com', 'links.example.com'],
  ['an address', 'https://links.example.com', 'links.example.com'],
  ['an address with a slash', 'HTTP://Links.example.com/', 'links.example.com'],
  ['a name with a slash', 'links.example.com/', 'links.example.com'],
  ['two labels', 'example.com', 'example.com'],
  ['a name with digits and hyphens', '1.a-b--c.3com.net', '1.a-b--c.3com.net'],
  ['a mixed-case name', 'Links.EXAMPLE.Com', 'links.example.com'],
  ['a name with a final dot', 'links.example.com.', 'links.example.com'],
  ['an internationalised name', 'bücher.example.com', 'xn--bcher-kva.example.com'],
  ['an upper-case internationalised name', 'BÜCHER.example.COM', 'xn--bcher-kva.example.com'],
  ['a name with a decomposed character', 'bu\u0308cher.example.com', 'xn--bcher-kva.example.com'],
  ['an internationalised top-level domain', 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['a name with A-labels', 'xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
  ['a name with upper-case A-labels', 'XN--BCHER-KVA.example.com', 'xn--bcher-kva.example.com'],
  ['a name with ß (UTS #46, nontransitional)', 'faß.de', 'xn--fa-hia.de'],
  ['a name with an ideographic full stop', 'münchen。de', 'xn--mnchen-3ya.de'],
  ['a full-width name', 'ｌｉｎｋｓ.example.com', 'links.example.com'],
  ['a name with a label of 63 characters', `${label(63)}.com`, `${label(63)}.com`],
  ['a name of maximum length', nameOfLength(230), nameOfLength(230)],
  ['a name that looks like another', 'аррӏе.com', 'xn--80ak6aa92e.com'],
  ['a public suffix', 'co.uk', 'co.uk'],
])('%s (%s) is normalised to %s', (_, given, kept) => {
  expect(hostname.safeParse(given)).toEqual({ value: kept });
  expect(given).toMatch(new RegExp(hostname.schema.pattern!, 'u'));
  expect(hostname.safeParse(kept)).toEqual({ value: kept });
  expect(challengeNameOf(kept as Hostname).length).toBeLessThanOrEqual(253);
});

test.each<[string, unknown, Problem['code']]>([
  ['a number', 1, 'invalid_type'],
  ['null', null, 'invalid_type'],
  ['an empty string', '', 'too_small'],
  ['a scheme without a name', 'https://', 'too_small'],
  ['a label of 250 characters', `${label(250)}.com`, 'too_big'],
  ['a name too long for the challenge label', nameOfLength(231), 'too_big'],
  ['NUL', 'a\0.example.com', 'invalid_format'],
  ['a lone surrogate', 'a\ud800.example.com', 'invalid_format'],
  ...[
    ...words(`
      links com . .. .example.com links..example.com links.example.com.. ${label(64)}.com -a.example.com
      a-.example.com a_b.example.com _link-domain-challenge.example.com *.example.com links.example.com:443
      https://links.example.com/path https://links.example.com:443 https://links.example.com//
      ftp://links.example.com https://https://links.example.com https:links.example.com xhttps://links.example.com
      links.example.com//
      links.example.com/path links.example.com?x links.example.com#x user@example.com links.example.com\\x
      ex%61mple.com links.example.com%2e xn--a.com xn--.com xn--bücher.com links／x.example.com 127.0.0.1 1.2.3.4.
      0x7f.1 2130706433.1 １２７.0.0.1 1。2。3。4 example.0x1 example.1com [::1] ::1 fe80::1.example.com example.c
    `),
    ' links.example.com',
    'links.example.com ',
    'links .example.com',
    'links\n.example.com',
    'a\u200d.com',
    '\u202ea.com',
    "a.com' OR 1=1 --",
  ].map((given): [string, unknown, Problem['code']] => ['an invalid host name', given, 'invalid_format']),
  ...words(`
    links.localhost links.local db.internal links.test links.example links.invalid links.onion links.alt
    1.0.0.127.in-addr.arpa router.home.arpa fritz.lan LINKS.LocalHost. ｌocal.ｌocalhost
  `).map((given): [string, unknown, Problem['code']] => [
    'a name outside the public internet',
    given,
    'invalid_format',
  ]),
])('%s is refused: %j', (_, given, code) => {
  expect(hostname.safeParse(given)).toEqual({ problems: [{ code, path: [], message: expect.any(String) }] });
});

test.each([
  ['name_with_underscore.example.com', 'must be a host name such as links.example.com'],
  ['links.localhost', 'must be a host name of the public internet'],
  [nameOfLength(231), 'must have at most 230 characters'],
])('the message for %j is: %s', (given, message) => {
  expect(hostname.safeParse(given)).toMatchObject({ problems: [{ message }] });
});

test('the rule has a JSON schema', () => {
  const { pattern, ...schema } = hostname.schema;
  expect(schema).toEqual({ type: 'string', minLength: 1, maxLength: 262 });
  for (const refused of ['', 'https://', 'links.example.com/a', 'a b.example.com'])
    expect(refused).not.toMatch(new RegExp(pattern!, 'u'));
});

test('challengeNameOf adds a label that no host name can have', () => {
  expect(challengeNameOf('links.example.com' as Hostname)).toBe('_link-domain-challenge.links.example.com');
});

test('a host name is read correctly after 100,000 others', () => {
  for (let times = 0; times < 100_000; times++) hostname.safeParse('bücher.example.com');
  expect(hostname.safeParse('bücher.example.com')).toEqual({ value: 'xn--bcher-kva.example.com' });
});
