import {
  allowedSchemes,
  destinationUrl,
  isWebUrl,
  linkDestination,
  schemeOf,
  servableDestination,
  servableUrl,
} from '../../../src/shared/destination-url';
import type { Problem } from '../../../src/shared/problem';
import { words } from '../../support/words';

// RFC 3986, appendix B, with the characters of sections 3.3 to 3.5.
const uri =
  /^https?:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d+)?(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/;

test.each([
  ['https://example.com', 'https://example.com/'],
  ['http://example.com/a?b=c#d', 'http://example.com/a?b=c#d'],
  ['HTTPS://Example.COM/A', 'https://example.com/A'],
  ['HTTP://Example.COM/A', 'http://example.com/A'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com:443/', 'https://example.com/'],
  ['https://bücher.example/ü?ü#ü', 'https://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC'],
  ['https://example.com/a b', 'https://example.com/a%20b'],
  ['https://example.com?mail=a@b.c', 'https://example.com/?mail=a@b.c'],
  ['https://example.com#a@b', 'https://example.com/#a@b'],
  ['https://example.com\\a@b', 'https://example.com/a@b'],
  [
    'https://e.com/{a}|b^`?filter={"color":"red"}|size^2`#{c}|^`',
    'https://e.com/%7Ba%7D%7Cb%5E%60?filter=%7B%22color%22:%22red%22%7D%7Csize%5E2%60#%7Bc%7D%7C%5E%60',
  ],
  ['https://e.com/%zz?100%&%4#%', 'https://e.com/%25zz?100%25&%254#%25'],
  ['https://e.com/[a]?b[]=%5b#[c]#d', 'https://e.com/%5Ba%5D?b%5B%5D=%5b#%5Bc%5D%23d'],
  ['https://[::1]/[a]#', 'https://[::1]/%5Ba%5D#'],
  ['https://[::1]:3000/', 'https://[::1]:3000/'],
  [`https://e.com/${'x'.repeat(2034)}`, `https://e.com/${'x'.repeat(2034)}`],
  [`https://e.com/ ${'x'.repeat(2031)}`, `https://e.com/%20${'x'.repeat(2031)}`],
  ['http://example.com:443/', 'http://example.com:443/'],
  ['https://example.com/?a=1&a=2#top', 'https://example.com/?a=1&a=2#top'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/%7Euser/%e2%82%ac', 'https://example.com/%7Euser/%e2%82%ac'],
  ['https://example.com\\@evil.example/', 'https://example.com/@evil.example/'],
  ['https://example.com//two//slashes', 'https://example.com//two//slashes'],
  ['https://日本語.example/道?検=索#片', 'https://xn--wgv71a119e.example/%E9%81%93?%E6%A4%9C=%E7%B4%A2#%E7%89%87'],
  ['https://example。com/', 'https://example.com/'],
  ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
  ['https://example.com/"<>`{}', 'https://example.com/%22%3C%3E%60%7B%7D'],
  ["https://example.com/?'", 'https://example.com/?%27'],
  ['https://192.0.2.1:8443/', 'https://192.0.2.1:8443/'],
  ['https://[2001:DB8::1]/', 'https://[2001:db8::1]/'],
  ['http://localhost:3000/', 'http://localhost:3000/'],
  [`https://example.com/?${'%20'.repeat(600)}`, `https://example.com/?${'%20'.repeat(600)}`],
  [`https://example.com/${'😀'.repeat(169)}`, `https://example.com/${'%F0%9F%98%80'.repeat(169)}`],
])('the URL %s is normalised to %s', (given, kept) => {
  expect(destinationUrl.safeParse(given)).toEqual({ value: kept });
  expect(destinationUrl.safeParse(kept)).toEqual({ value: kept });
  expect(kept).toMatch(uri);
});

const format = 'must be an absolute http or https URL';
const userInfo = 'must not contain a user name or password';

test.each<[string, unknown, Problem['code'], string]>([
  ['a number', 1, 'invalid_type', 'must be a string'],
  ['an empty string', '', 'invalid_format', format],
  ['a path', '/a', 'invalid_format', format],
  ['without a scheme', 'example.com', 'invalid_format', format],
  ['a javascript: URL', 'javascript:alert(1)', 'invalid_format', format],
  ['a javascript: URL with a host', 'javascript://https://example.com/%0aalert(1)', 'invalid_format', format],
  ['a data: URL', 'data:text/html,https://example.com/', 'invalid_format', format],
  ['an intent: URL', 'intent://example.com#Intent;end', 'invalid_format', format],
  ['an ftp: URL', 'ftp://example.com/', 'invalid_format', format],
  ['without slashes', 'https:example.com', 'invalid_format', format],
  ['with one slash', 'https:/example.com', 'invalid_format', format],
  ['with three slashes', 'https:///example.com', 'invalid_format', format],
  ['without a host', 'https://?a', 'invalid_format', format],
  ['with an invalid host', 'https://a b/', 'invalid_format', format],
  ['with an invalid port', 'https://example.com:99999/', 'invalid_format', format],
  ['preceded by white space', ' https://example.com/', 'invalid_format', format],
  ['followed by white space', 'https://example.com/\u00a0', 'invalid_format', format],
  ['with a line break', 'https://example.com/\r\nSet-Cookie: a', 'invalid_format', format],
  ['with a tab in the scheme', 'ht\ttps://example.com/', 'invalid_format', format],
  ['with DEL', 'https://example.com/\u007f', 'invalid_format', format],
  ['with a C1 control character', 'https://example.com/\u0085x', 'invalid_format', format],
  ['with NUL', 'https://example.com/\0', 'invalid_format', 'must be Unicode text without NUL and lone surrogates'],
  ['with a user name', 'https://user@example.com/', 'invalid_format', userInfo],
  ['with a user name and a password', 'HTTP://user:secret@example.com', 'invalid_format', userInfo],
  ['with an empty password', 'https://x:@example.com', 'invalid_format', userInfo],
  ['2,049 characters long', `https://e.com/${'x'.repeat(2035)}`, 'too_big', 'must have at most 2048 characters'],
  [
    '2,049 characters long when percent-encoded',
    `https://e.com/ ${'x'.repeat(2032)}`,
    'too_big',
    'must have at most 2048 characters when percent-encoded',
  ],
])('a URL that is %s is refused', (_, given, code, message) => {
  expect(destinationUrl.safeParse(given)).toEqual({ problems: [{ code, path: [], message }] });
});

test.each([
  ...words(`
    www.example.com/path //example.com/ https://:443/ https://example.com:port/ https://[::1/ https://a<b/
    https://%00/ https://256.256.256.256/ https://xn--a/ https://:b@c/ https://@example.com/ https://:@example.com/
    https://example.com@evil.example/ https://a%40b@c/
  `),
  ...['https:\\\\example.com', 'java\nscript:alert(1)', 'https://exa\tmple.com/', 'https://example.com/\u0001'],
  '\ufeffhttps://example.com/',
])('the URL %j is refused', (given) => {
  expect(destinationUrl.safeParse(given)).toMatchObject({ problems: [{ code: 'invalid_format' }] });
});

test.each([
  `https://example.com/${'😀'.repeat(170)}`,
  `https://example.com/${' '.repeat(700)}a`,
  `https://${'ü'.repeat(3000)}/`,
])('a long URL is refused', (given) => {
  expect(destinationUrl.safeParse(given)).toMatchObject({ problems: [{ code: 'too_big' }] });
});

test('the rule has a JSON schema', () => {
  const { pattern, ...schema } = destinationUrl.schema;
  expect(schema).toEqual({ type: 'string', maxLength: 2048 });
  const form = new RegExp(pattern!, 'u');
  const accepted = ['https://a.example', 'HTTP://a.example/?q=a@b', 'https://[::1]:80/#x', 'https://a.example\\b'];
  const refusals = [
    ...words('ftp://a.example https:/a.example https:// https://user@a.example'),
    ...['https://a.example/\n', ' https://a.example/'],
  ];
  expect([accepted, refusals].map((urls) => urls.map((url) => form.test(url)))).toEqual([
    accepted.map(() => true),
    refusals.map(() => false),
  ]);
});

test('a stored URL is served with its spelling, also at the maximum length', () => {
  const stored = `https://e.com/?{%zz}|${'x'.repeat(2027)}`;
  expect(servableUrl.safeParse(stored)).toEqual({ value: stored });
  expect(destinationUrl.safeParse(stored)).toHaveProperty('problems');
});

describe('a destination with another scheme', () => {
  test.each([
    ['mailto:ann@example.com?subject=Hello world', 'mailto:ann@example.com?subject=Hello%20world'],
    ['MailTo:Ann@Example.com', 'mailto:Ann@Example.com'],
    ['tel:+49-30-123', 'tel:+49-30-123'],
    ['tel:0800123', 'tel:0800123'],
    ['sms:+4930123?&body=Hallo Jürgen', 'sms:+4930123?&body=Hallo%20J%C3%BCrgen'],
    ['whatsapp://send?text={a}|<b>"c"', 'whatsapp://send?text=%7Ba%7D%7C%3Cb%3E%22c%22'],
    ['market://details?id=com.example.shop', 'market://details?id=com.example.shop'],
    ['itms-apps://apps.apple.com/app/id42', 'itms-apps://apps.apple.com/app/id42'],
    ['com.example.shop:/sale#a#b', 'com.example.shop:/sale#a%23b'],
    ['shop://[::1]:8080/[a]', 'shop://[::1]:8080/%5Ba%5D'],
    ['shop://ann@example.com', 'shop://ann@example.com'],
    ['ftp://ann:pass@files.example.com/{x}', 'ftp://ann:pass@files.example.com/%7Bx%7D'],
    ['shop://', 'shop://'],
    [`mailto:${'a'.repeat(2041)}`, `mailto:${'a'.repeat(2041)}`],
    ['shop:?100%', 'shop:?100%25'],
    ['https://example.com/{a}', 'https://example.com/%7Ba%7D'],
  ])('%s is normalised to %s', (sent, stored) => {
    expect(linkDestination.safeParse(sent)).toEqual({ value: stored });
    expect(linkDestination.safeParse(stored)).toEqual({ value: stored });
    expect(servableDestination.safeParse(stored)).toEqual({ value: stored });
    expect(new RegExp(linkDestination.schema.pattern!, 'u').test(sent)).toBe(true);
    expect(stored).toMatch(/^[\x21-\x7e]+$/);
  });

  test.each([
    ...words(`
      javascript:alert(1) JaVaScRiPt:alert(1) javascript://a.example/%0Aalert(1) jscript:x livescript:x vbscript:x
      VBScript:x data:text/html,<script> DATA:,x blob:https://a.example/1 filesystem:x file:///etc/passwd FILE:x
      jar:https://a.example!/ content://x about:blank About:Config res://x view-source:https://a.example
      chrome://settings chrome-extension://x moz-extension://x edge://x intent:#Intent;end INTENT://x#Intent;end
      android-app://com.example ms-msdt:/id search-ms:x search:x itms-services://?action=download-manifest smb://a/b
      afp://a nfs://a ms-search:x ws://a.example wss://a.example jnlp://x applescript://x ｊavascript:x ſms:x
      java%73cript:x %6Aavascript:x javascript%3Ax javascript&colon;x mailto: mailto :a //example.com 1a:b -a:b a_b:c
      shop://a:99999/ shop.example.com:8080 localhost:3000/a https:a http:///a https://ann@example.com/
    `),
    ...[' mailto:a', 'mailto:a ', '\tmailto:a', '\u00a0mailto:a', '\ufeffmailto:a', '\u0001javascript:x'],
    ...['mail to:a', 'java\nscript:x', 'java\tscript:x', 'mailto:a\nb', 'mailto:a\r\nBcc: b', 'mailto:\tb'],
    ...['mailto:a\u007f', 'mailto:\u0085', 'javascript\u00ad:x', '\\\\example.com', 'mailto:\ud800', 'mailto:\0'],
    ...['shop://a b/', `${'a'.repeat(51)}:b`, `mailto:${'a'.repeat(2042)}`, `mailto:${'ü'.repeat(400)}`],
  ])('%j is refused', (sent) => {
    expect(linkDestination.tryParse(sent)).toBeNull();
    if (sent.length < 2000) expect(servableDestination.tryParse(sent)).toBeNull();
  });

  test('has a JSON schema', () => {
    const { pattern, ...schema } = linkDestination.schema;
    expect(schema).toEqual({ type: 'string', maxLength: 2048 });
    expect(
      ['mailto:a', 'https://a.example', 'mailto:', 'a b:c'].map((url) => new RegExp(pattern!, 'u').test(url)),
    ).toEqual([...[true, true, false, false]]);
  });

  test('is not one of the web', () => {
    const urls = ['https://a.example', 'HTTP://a.example', 'mailto:a', 'shop://http://a.example'];
    expect(urls.map(isWebUrl)).toEqual([true, true, false, false]);
  });

  test.each([
    ['mailto:a', 'mailto'],
    ['JavaScript:a', 'javascript'],
    ['com.example.shop:/a', 'com.example.shop'],
    ['com.example.shop:8080', ''],
    ['localhost:80', ''],
    ['a b:c', ''],
    ['', ''],
  ])('the scheme of %j is %j', (url, scheme) => {
    expect(schemeOf(url)).toBe(scheme);
  });
});

describe('the schemes that a project allows', () => {
  test('are names in lower case, each once', () => {
    const schemes = [...words('mailto tel com.example.shop web+a-b itms-apps edges database'), `a${'b'.repeat(49)}`];
    expect(allowedSchemes.safeParse([...schemes, 'tel'])).toEqual({ value: schemes });
  });

  test.each([
    ...words(`
      http https javascript vbscript data blob file intent about view-source ws wss Mailto mailto: m%61ilto téléphone
      1a -a + *
    `),
    ...['mail to', 'mailto\n', ' mailto', 'm\tailto', '', `a${'b'.repeat(50)}`],
  ])('do not contain %j', (scheme) => {
    const [problem] = (allowedSchemes.safeParse(['tel', scheme]) as { problems: Problem[] }).problems;
    expect(problem).toMatchObject({ path: [1] });
  });

  test.each([
    [
      Array.from({ length: 21 }, (_, at) => `a${at}`),
      { code: 'too_big', path: [], message: 'must have at most 20 items' },
    ],
    [
      ['javascript'],
      {
        code: 'invalid_format',
        path: [0],
        message:
          'must be a scheme in lower case without a colon, such as mailto; schemes such as javascript are refused',
      },
    ],
  ])('are refused with a reason: %j', (schemes, problem) => {
    expect(allowedSchemes.safeParse(schemes)).toEqual({ problems: [problem] });
  });
});
