import { builtInEscapes, escapeUrl, waysOutOf } from '../../../src/link-routing/escapes/browser-escapes';
import { embeddedBrowserOf } from '../../../src/link-routing/escapes/embedded-browser';
import { parseEscapeTable } from '../../../src/link-routing/escapes/escape-table-file';
import { inAppBrowserOf } from '../../../src/link-routing/visitor/in-app-browsers';
import { visitorOf } from '../../../src/link-routing/visitor/visitor';

const iphone = (version: string, app: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 ${app}`;
const android = (app: string) =>
  `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 ${app}`;
const mac = (app: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ${app}`;

const browserOf = (userAgent: string) =>
  embeddedBrowserOf(visitorOf({ userAgent, clientHint: undefined }), userAgent, '');

const { ways } = builtInEscapes;

test.each<[string, string, string | null]>([
  ['Instagram 445 on iOS', iphone('27_0', 'Instagram 445.0.0.1 (iPhone18,4; iOS 27_0)'), 'instagram'],
  ['Instagram 1000 on iOS', iphone('27_0', 'Instagram 1000.0.0.1 (iPhone18,4; iOS 27_0)'), 'instagram'],
  ['Instagram 424 on iOS, which blocks Safari', iphone('26_4_1', 'Instagram 424.1.0.31.54 (iPhone18,4)'), null],
  ['Instagram 423 on iOS', iphone('18_5', 'Instagram 423.1.0.36.70 (iPhone15,3; iOS 18_5)'), 'x_safari'],
  ['Instagram 330 on iOS 16', iphone('16_7', 'Instagram 330.0.3 (iPhone15,2; iOS 16_7)'), null],
  ['Instagram without a version', iphone('18_5', 'Instagram 4'), null],
  ['Instagram 445 on Android', android('Instagram 445.0.0.1 Android (36/16)'), 'instagram'],
  ['Instagram 330 on Android', android('Instagram 330.0.0.40.92 Android (34/14)'), 'intent'],
  ['Instagram 445 on an iPad that calls itself a Macintosh', mac('Instagram 445.0.0.1'), 'instagram'],
  ['Facebook on iOS 17', iphone('17_0', '[FBAN/FBIOS;FBAV/450.0.0]'), 'x_safari'],
  ['Facebook on iOS 16', iphone('16_9', '[FBAN/FBIOS;FBAV/450.0.0]'), null],
  ['Facebook on Android', android('[FB_IAB/FB4A;FBAV/450.0.0.40.107;]'), 'intent'],
  ['Messenger on Android, which blocks intents', android('[FB_IAB/Orca-Android;FBAV/450.0.0;]'), null],
  ['TikTok on iOS', iphone('18_0', 'musical_ly_32.5.0 BytedanceWebview/d8a21c6'), 'x_safari'],
  ['TikTok on Android', android('trill_320403 BytedanceWebview/d8a21c6'), null],
  ['WeChat on iOS', iphone('18_0', 'MicroMessenger/8.0.49'), null],
  ['Snapchat on iOS', iphone('18_0', 'Snapchat/14.25.0.48'), null],
  ['Line on Android', android('Line/14.7.0/IAB'), 'intent'],
  ['Safari', iphone('18_0', 'Version/18.0 Safari/604.1'), null],
  ['Chrome', android(''), null],
])('the way out of %s', (_, userAgent, escape) => {
  const browser = browserOf(userAgent);
  expect(browser ? waysOutOf(builtInEscapes, browser) : []).toEqual(escape === null ? [] : [escape]);
});

test.each<[string, number, number]>([
  [iphone('27_0', 'Instagram 445.0.0.1 (iPhone18,4; iOS 27_0)'), 445, 27],
  [iphone('18_7', 'Version/26.0 Instagram 445.0.0.1'), 445, 26],
  [iphone('18_5', 'Instagram 4'), 0, 18],
  [android('Instagram 10000.0'), 0, 14],
  [android('[FB_IAB/FB4A;FBAV/450.0.0.40.107;]'), 450, 14],
  [android('[FB_IAB/FB4A;FBAV/450.0.0;]').replace('Android 14; Pixel 8; wv', 'Android 10; K'), 450, 0],
  [iphone('17_0', '[FBAN/MessengerForiOS;FBAV/451.0.0]'), 451, 17],
  [iphone('18_0', 'Barcelona 448.0.0.1'), 448, 18],
  [iphone('18_0', 'musical_ly_32.5.0 BytedanceWebview/d8a21c6'), 32, 18],
  [android('trill_320403 BytedanceWebview/d8a21c6'), 0, 14],
  [iphone('18_0', '[LinkedInApp]/9.30.1'), 9, 18],
  [iphone('18_0', 'Twitter for iPhone/11.4'), 11, 18],
  [android('Telegram-Android/12.1.0 (Pixel 8)'), 12, 14],
  [android('Line/14.7.0/IAB'), 14, 14],
  [mac('Instagram 445.0.0.1'), 445, 0],
])('the versions of %s', (userAgent, version, system) => {
  expect(browserOf(userAgent)).toMatchObject({ version, system });
});

const page = 'https://summer.go.example.com/sale?a=1&_via=page';

test.each<[string, string, string]>([
  ['x_safari', page, `x-safari-${page}`],
  ['x_safari', 'http://summer.localhost:3000/sale', 'x-safari-http://summer.localhost:3000/sale'],
  ['instagram', page, `instagram://extbrowser/?url=${encodeURIComponent(page)}`],
  ['intent', page, 'intent://summer.go.example.com/sale?a=1&_via=page#Intent;scheme=https;end'],
])('%s opens %s by %s', (escape, url, address) => {
  expect(escapeUrl(ways[escape]!, url)).toBe(address);
});

test('a URL with the name of a placeholder stays as it is', () => {
  expect(escapeUrl('a:{url}', 'https://a.example/{scheme}$&')).toBe('a:https://a.example/{scheme}$&');
});

test.each(builtInEscapes.rows.map((row) => [row.app, row.platform, row] as const))(
  'the row of %s on %s',
  (app, _, row) => {
    expect(row.checked).toMatch(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]$/);
    expect(Date.parse(row.checked!)).toBeLessThan(Date.now());
    expect(new URL(row.source!).protocol).toBe('https:');
    expect(knownApps).toContain(app);
    expect(row.way === 'x_safari' ? row.platform : 'ios').toBe('ios');
    expect(row.way === 'intent' ? row.platform : 'android').toBe('android');
  },
);

test('the built-in table is a valid file', () => {
  expect(parseEscapeTable(Buffer.from(JSON.stringify(builtInEscapes)))).toEqual(builtInEscapes);
});

const aRow = { app: 'Instagram', platform: 'ios', way: 'safari' };
const aTable = { ways: { safari: 'x-safari-{url}' }, rows: [aRow] };
const withWay = (address: string) => ({ ways: { safari: address }, rows: [aRow] });
const withRow = (fields: object) => ({ ...aTable, rows: [aRow, { ...aRow, ...fields }] });

test.each<[string, object | string, RegExp]>([
  ['no JSON', '{', /JSON/],
  ['another document', [], /expected object/],
  ['another field', { ...aTable, version: 1 }, /version/],
  ['no ways', { rows: [] }, /^ways: /],
  ['an unknown app', withRow({ app: 'Instagran' }), /^rows\.1\.app: .*Instagram/],
  ['an unknown platform', withRow({ platform: 'desktop' }), /^rows\.1\.platform: /],
  ['a way without an address', withRow({ way: 'chrome' }), /^rows\.1\.way: chrome is not among ways$/],
  ['a way with the name of a method', withRow({ way: 'constructor' }), /^rows\.1\.way: constructor is not among ways$/],
  ['a version as a text', withRow({ from: '445' }), /^rows\.1\.from: /],
  ['a version of a build', withRow({ until: 445.1 }), /^rows\.1\.until: /],
  ['a range that is empty', withRow({ from: 445, until: 445 }), /^rows\.1: from must be below until$/],
  ['a range of systems that is empty', withRow({ system_from: 2, system_until: 1 }), /^rows\.1: system_from must/],
  ['a day that does not exist', withRow({ checked: '2026-02-30' }), /^rows\.1\.checked: /],
  ['an address without a URL', withWay('googlechrome://'), /^ways\.safari: must have \{url\}/],
  ['an address with two', withWay('a:{url}{encoded_url}'), /^ways\.safari: must have \{url\}/],
  ['an address that runs a script', withWay('javascript:open("{url}")'), /^ways\.safari: must begin with a scheme/],
  ['an address of the web', withWay('https://a.example/?u={encoded_url}'), /^ways\.safari: must begin with a scheme/],
  ['an address without a scheme', withWay('{url}'), /^ways\.safari: must begin with a scheme/],
  ['an address with a space', withWay('a:{url} b'), /^ways\.safari: must have no white space$/],
  ['a name of a way with a separator', { ways: { 'a~b': 'a:{url}' }, rows: [] }, /^ways\.a~b: /],
])('a file with %s is refused', (_, content, message) => {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  expect(() => parseEscapeTable(bytes)).toThrow(message);
});

test('ways compete in the order of the table, within the ranges of app and system', () => {
  const chrome = { ...aRow, way: 'chrome', from: 10, system_until: 18 };
  const table = parseEscapeTable(
    Buffer.from(
      JSON.stringify({ ways: { safari: 'x-safari-{url}', chrome: 'googlechrome:{url}' }, rows: [chrome, aRow, aRow] }),
    ),
  );
  const of = (version: number, system: number) =>
    waysOutOf(table, { app: 'Instagram', platform: 'ios', version, system });
  expect([of(10, 17), of(9, 17), of(10, 18), of(0, 17), of(10, 0)]).toEqual([
    ['chrome', 'safari'],
    ...Array(4).fill(['safari']),
  ]);
});

/** A user agent of each app, read by the list of in-app browsers. */
const tokens = `Instagram 445.0, [FBAN/FBIOS;FBAV/450], [FBAN/MessengerForiOS], Barcelona 448.0, musical_ly_32, [LinkedInApp],
  Twitter for iPhone, Telegram-iOS/1, Line/14.7`;
const knownApps = new Set(tokens.split(/,\s+/).map((token) => inAppBrowserOf(iphone('18_0', token))));
