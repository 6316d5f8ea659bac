import { longLinkPath, longLinksId, readLongLink } from '../../../src/link-routing/visited-link/long-link';
import { aVisitedAndroidApp, aVisitedIosApp, aVisitedLink, aVisitedProject } from '../builders';

const project = aVisitedProject({
  longLinkDestinations: ['shop.example.com', '*.example.org', 'test.example.com:8443', 'xn--bcher-kva.example.com'],
  iosApps: new Map([
    ['other', aVisitedIosApp({ bundleId: 'com.example.other' })],
    ['ios', aVisitedIosApp({ appstoreId: '42' })],
  ]),
  androidApps: new Map([['android', aVisitedAndroidApp()]]),
});

const queryOf = (params: Record<string, string>): string => new URLSearchParams(params).toString();
const read = (params: Record<string, string>) => readLongLink(project, queryOf(params));
const linkOf = (params: Record<string, string>) => {
  const long = read(params);
  return typeof long === 'string' ? long : long.link;
};

const link = 'https://shop.example.com/sale?size=1';

test('a long link with all parameters is read', () => {
  const query = queryOf({
    link,
    apn: 'com.example.shop',
    afl: 'https://shop.example.com/android',
    amv: '42',
    ibi: 'com.example.shop',
    ifl: 'https://a.example.org/ios',
    ius: 'shop',
    ipfl: 'https://elsewhere.example/ipad',
    ipbi: 'com.example.pad',
    isi: '99',
    imv: '2.0',
    efr: '1',
    ofl: 'https://b.c.example.org/',
    st: 'Summer & sale',
    sd: 'Everything must go.',
    si: 'https://shop.example.com/sale.png',
    d: '1',
  });
  expect(readLongLink(project, `utm_source=mail&${query}&ct=x&%75tm_term=y`)).toEqual({
    link: aVisitedLink({
      customPath: longLinkPath as never,
      id: longLinksId,
      desktopUrl: 'https://b.c.example.org/' as never,
      iosAppId: 'ios',
      androidAppId: 'android',
      iosFallbackUrl: 'https://a.example.org/ios' as never,
      androidFallbackUrl: 'https://shop.example.com/android' as never,
      socialTitle: 'Summer & sale',
      socialDescription: 'Everything must go.',
      socialImageUrl: 'https://shop.example.com/sale.png' as never,
    }),
    longQuery: query,
    visitorQuery: 'utm_source=mail&ct=x&%75tm_term=y',
  });
});

test('a project without destinations serves no long links', () => {
  expect(readLongLink({ ...project, longLinkDestinations: [] }, queryOf({ link }))).toBe('off');
});

describe('destinations', () => {
  test.each([
    ['https://shop.example.com/', 'https://shop.example.com/'],
    ['http://shop.example.com', 'http://shop.example.com/'],
    ['HTTPS://SHOP.Example.COM/a', 'https://shop.example.com/a'],
    ['https://shop.example.com:443/', 'https://shop.example.com/'],
    ['https://shop.example.com./', 'https://shop.example.com./'],
    ['https://a.example.org/', 'https://a.example.org/'],
    ['https://a.b.example.org/', 'https://a.b.example.org/'],
    ['https://test.example.com:8443/', 'https://test.example.com:8443/'],
    ['https://bücher.example.com/ü', 'https://xn--bcher-kva.example.com/%C3%BC'],
    ['https://shop.example.com/a+b?c=d e', 'https://shop.example.com/a+b?c=d%20e'],
    ['https://shop.example.com/?u=https://evil.example', 'https://shop.example.com/?u=https://evil.example'],
  ])('%s is allowed', (given, served) => {
    expect(linkOf({ link: given })).toMatchObject({ desktopUrl: served });
  });

  const evil = [
    ['another host', 'https://evil.example/'],
    ['a host that ends alike', 'https://evilshop.example.com/'],
    ['a host that begins alike', 'https://shop.example.com.evil.example/'],
    ['a host below an exact one', 'https://a.shop.example.com/'],
    ['the host of a pattern itself', 'https://example.org/'],
    ['an empty label', 'https://.example.org/'],
    ['a host that ends like a pattern', 'https://evilexample.org/'],
    ['another port', 'https://shop.example.com:8443/'],
    ['a port of another pattern', 'https://a.example.org:8443/'],
    ['the default port of one with a port', 'https://test.example.com/'],
    ['an address', 'http://127.0.0.1/'],
    ['an address in digits', 'http://2130706433/'],
    ['an address of version 6', 'http://[::1]/'],
    ['Cyrillic letters', 'https://ѕhop.example.com/'],
    ['a full stop of another script', 'https://evil。example/'],
    ['an encoded full stop', 'https://shop.example.com%2eevil.example/'],
    ['a backslash after the host', 'https://evil.example\\@shop.example.com/'],
    ['a link host', 'https://summer.go.example.com/?link=x'],
  ] as const;
  const invalid = [
    ['a user name', 'https://shop.example.com@evil.example/'],
    ['a user name and the right host', 'https://evil@shop.example.com/'],
    ['an encoded at sign', 'https://shop.example.com%40evil.example/'],
    ['a space in the host', 'https://shop.example.com evil.example/'],
    ['a backslash', 'https:\\\\evil.example/'],
    ['three slashes', 'https:///evil.example/'],
    ['one slash', 'https:/shop.example.com/'],
    ['no scheme', '//shop.example.com/'],
    ['a relative URL', '/sale'],
    ['a script', 'javascript:alert(document.domain)//shop.example.com'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['an intent', 'intent://shop.example.com/#Intent;scheme=https;end'],
    ['a scheme of an app', 'shop://shop.example.com/'],
    ['a tab in the scheme', 'ht\ttps://evil.example/'],
    ['a line break', 'https://shop.example.com/\r\nSet-Cookie: a=b'],
    ['a leading space', ' https://shop.example.com/'],
    ['a fullwidth slash', 'https:／／shop.example.com/'],
    ['too many characters', `https://shop.example.com/${'a'.repeat(2048)}`],
  ] as const;

  describe.each(['link', 'ofl', 'ifl', 'afl'])('%s', (name) => {
    test.each(evil)('with %s is not allowed', (_, url) => {
      expect(read({ link, [name]: url })).toBe('destination_not_allowed');
    });

    test.each(invalid)('with %s is invalid', (_, url) => {
      expect(read({ link, [name]: url })).toBe('invalid_destination');
    });
  });

  test.each(evil)('a picture with %s is left out', (_, si) => {
    expect(linkOf({ link, si })).toMatchObject({ desktopUrl: link, socialImageUrl: null });
  });

  test.each(invalid)('a picture with %s is left out', (_, si) => {
    expect(linkOf({ link, si })).toMatchObject({ desktopUrl: link, socialImageUrl: null });
  });
});

describe('queries', () => {
  test.each([
    ['', 'no_link'],
    ['link=', 'no_link'],
    ['Link=https://shop.example.com/', 'no_link'],
    ['a=b', 'no_link'],
    ['link=https://shop.example.com/&link=https://shop.example.com/', 'repeated_parameter'],
    ['link=https://shop.example.com/&%6Cink=https://evil.example/', 'repeated_parameter'],
    ['link=https://shop.example.com/&st=a&st=b', 'repeated_parameter'],
    ['link=%E0%A4%A', 'invalid_destination'],
  ])('%s: %s', (query, finding) => {
    expect(readLongLink(project, query)).toBe(finding);
  });

  test.each([
    ['link=https://shop.example.com/%3Fa=b&c=d', 'https://shop.example.com/?a=b', 'c=d'],
    ['&&link=https%3A%2F%2Fshop.example.com%2F&&', 'https://shop.example.com/', ''],
    ['%6Cink=https://shop.example.com/', 'https://shop.example.com/', ''],
    ['link=https://shop.example.com/#x', 'https://shop.example.com/#x', ''],
    // UTF-8 as Node passes it on.
    ['link=https://shop.example.com/\u00c3\u00bc', 'https://shop.example.com/%C3%BC', ''],
    [
      '__proto__=x&constructor=y&link=https://shop.example.com/',
      'https://shop.example.com/',
      '__proto__=x&constructor=y',
    ],
  ])('%s', (query, desktopUrl, visitorQuery) => {
    expect(readLongLink(project, query)).toMatchObject({ link: { desktopUrl }, visitorQuery });
  });
});

const ofl = 'https://a.example.org/';
const [ibi, apn] = ['com.example.shop', 'com.example.shop'];
const noUrls = { iosFallbackUrl: null, androidFallbackUrl: null };

test.each([
  ['nothing', {}, { iosAppId: null, androidAppId: null, ...noUrls }],
  ['an iOS app', { ibi }, { iosAppId: 'ios', androidAppId: null }],
  ['unknown apps', { ibi: 'com.example.unknown', apn: 'com.example.unknown' }, { iosAppId: null, androidAppId: null }],
  ['an app in capitals', { ibi: 'COM.EXAMPLE.SHOP' }, { iosAppId: null }],
  ['an Android app', { apn }, { androidAppId: 'android' }],
  ['ofl, which phones do not get', { ofl }, { iosFallbackUrl: link, androidFallbackUrl: link }],
  ['ofl beside apps in stores', { ofl, ibi, apn }, noUrls],
  ['ofl beside an app in no store', { ofl, ibi: 'com.example.other' }, { iosAppId: 'other', iosFallbackUrl: link }],
  ['empty texts', { st: '', sd: '' }, { socialTitle: null, socialDescription: null }],
  ['markup', { st: '<script>' }, { socialTitle: '<script>' }],
  ['a long description', { sd: 'x'.repeat(1000) }, { socialDescription: 'x'.repeat(1000) }],
  ['a longer title', { st: 'x'.repeat(201) }, { socialTitle: null }],
  ['a longer description', { sd: 'x'.repeat(1001) }, { socialDescription: null }],
  ['NUL', { st: 'a\0' }, { socialTitle: null }],
  ['efr', { efr: '1' }, { iosDeferredDeepLink: false }],
])('apps and texts: %s', (_, params: Record<string, string>, expected) => {
  expect(linkOf({ link, ...params })).toMatchObject(expected);
});
