import { challengeNameOf, hostname, type Hostname } from '../../../src/management-api/custom-domains/hostname';
import type { Problem } from '../../../src/shared/problem';

const label = (length: number) => 'a'.repeat(length);
/** A host name of so many characters, in labels that are short enough. */
const nameOf = (length: number): string => `${label(length - 4).replace(/a{63}/g, (all) => `${all.slice(1)}.`)}.com`;

test.each([
  ['plain', 'links.example.com', 'links.example.com'],
  ['two labels', 'example.com', 'example.com'],
  ['digits and hyphens', '1.a-b--c.3com.net', '1.a-b--c.3com.net'],
  ['mixed case', 'Links.EXAMPLE.Com', 'links.example.com'],
  ['a final dot', 'links.example.com.', 'links.example.com'],
  ['internationalised', 'bücher.example.com', 'xn--bcher-kva.example.com'],
  ['internationalised capitals', 'BÜCHER.example.COM', 'xn--bcher-kva.example.com'],
  ['composed and decomposed alike', 'bu\u0308cher.example.com', 'xn--bcher-kva.example.com'],
  ['an internationalised top level', 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['A-labels', 'xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
  ['A-labels in capitals', 'XN--BCHER-KVA.example.com', 'xn--bcher-kva.example.com'],
  ['ß, which is a letter of its own (UTS #46, nontransitional)', 'faß.de', 'xn--fa-hia.de'],
  ['an ideographic full stop', 'münchen。de', 'xn--mnchen-3ya.de'],
  ['full width', 'ｌｉｎｋｓ.example.com', 'links.example.com'],
  ['a label of 63', `${label(63)}.com`, `${label(63)}.com`],
  ['as long as can be', nameOf(230), nameOf(230)],
  ['what others look alike to', 'аррӏе.com', 'xn--80ak6aa92e.com'],
  ['a public suffix, which only a registry can prove', 'co.uk', 'co.uk'],
])('%s: %s', (_, given, kept) => {
  expect(hostname.read(given)).toEqual({ value: kept });
  expect(hostname.read(kept)).toEqual({ value: kept });
  expect(challengeNameOf(kept as Hostname).length).toBeLessThanOrEqual(253);
});

test.each<[string, unknown, Problem['code']]>([
  ['a number', 1, 'invalid_type'],
  ['null', null, 'invalid_type'],
  ['nothing', '', 'too_small'],
  ['more than a name has', `${label(250)}.com`, 'too_big'],
  ['more than leaves room for the challenge', nameOf(231), 'too_big'],
  ['NUL', 'a\0.example.com', 'invalid_format'],
  ['a lone surrogate', 'a\ud800.example.com', 'invalid_format'],
  ...[
    'links',
    'com',
    '.',
    '..',
    '.example.com',
    'links..example.com',
    'links.example.com..',
    `${label(64)}.com`,
    '-a.example.com',
    'a-.example.com',
    'a_b.example.com',
    '_link-domain-challenge.example.com',
    '*.example.com',
    'links.example.com:443',
    'https://links.example.com',
    'links.example.com/',
    'links.example.com/path',
    'links.example.com?x',
    'links.example.com#x',
    'user@example.com',
    'links.example.com\\x',
    ' links.example.com',
    'links.example.com ',
    'links .example.com',
    'links\n.example.com',
    'ex%61mple.com',
    'links.example.com%2e',
    'xn--a.com',
    'xn--.com',
    'xn--bücher.com',
    'a\u200d.com',
    '\u202ea.com',
    'links／x.example.com',
    '127.0.0.1',
    '1.2.3.4.',
    '0x7f.1',
    '2130706433.1',
    '１２７.0.0.1',
    '1。2。3。4',
    'example.0x1',
    'example.1com',
    '[::1]',
    '::1',
    'fe80::1.example.com',
    'example.c',
    "a.com' OR 1=1 --",
  ].map((given): [string, unknown, Problem['code']] => ['no host name', given, 'invalid_format']),
  ...[
    'links.localhost',
    'links.local',
    'db.internal',
    'links.test',
    'links.example',
    'links.invalid',
    'links.onion',
    'links.alt',
    '1.0.0.127.in-addr.arpa',
    'router.home.arpa',
    'fritz.lan',
    'LINKS.LocalHost.',
    'ｌocal.ｌocalhost',
  ].map((given): [string, unknown, Problem['code']] => ['a name of no public network', given, 'invalid_format']),
])('%s is refused: %j', (_, given, code) => {
  expect(hostname.read(given)).toEqual({ problems: [{ code, path: [], message: expect.any(String) }] });
});

test.each([
  ['name_with_underscore.example.com', 'must be a host name such as links.example.com'],
  ['links.localhost', 'must be a host name of the public internet'],
  [nameOf(231), 'must have at most 230 characters'],
])('the message for %j is: %s', (given, message) => {
  expect(hostname.read(given)).toMatchObject({ problems: [{ message }] });
});

test('a domain is proved under a label that no host can have', () => {
  expect(challengeNameOf('links.example.com' as Hostname)).toBe('_link-domain-challenge.links.example.com');
});

test('the hundred thousandth name is read as the first', () => {
  for (let times = 0; times < 100_000; times++) hostname.read('bücher.example.com');
  expect(hostname.read('bücher.example.com')).toEqual({ value: 'xn--bcher-kva.example.com' });
});
