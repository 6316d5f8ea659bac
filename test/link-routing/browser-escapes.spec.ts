import { type BrowserEscape, browserEscapes, escapeUrl } from '../../src/link-routing/browser-escapes';
import { inAppBrowserOf } from '../../src/link-routing/in-app-browsers';
import { visitorOf } from '../../src/link-routing/visitor';

const iphone = (version: string, app: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 ${app}`;
const android = (app: string) =>
  `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36 ${app}`;
const mac = (app: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ${app}`;

const escapeOf = (userAgent: string) => visitorOf({ userAgent, clientHint: undefined }).escape;

test.each<[string, string, BrowserEscape | null]>([
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
  expect(escapeOf(userAgent)).toBe(escape);
});

const page = 'https://summer.go.example.com/sale?a=1&_via=page';

test.each<[BrowserEscape, string, string]>([
  ['x_safari', page, `x-safari-${page}`],
  ['x_safari', 'http://summer.localhost:3000/sale', 'x-safari-http://summer.localhost:3000/sale'],
  ['instagram', page, `instagram://extbrowser/?url=${encodeURIComponent(page)}`],
  ['intent', page, 'intent://summer.go.example.com/sale?a=1&_via=page#Intent;scheme=https;end'],
])('%s opens %s by %s', (escape, url, address) => {
  expect(escapeUrl(escape, url)).toBe(address);
});

test.each(browserEscapes.map((row) => [row.app, row.platform, row] as const))('the row of %s on %s', (app, _, row) => {
  expect(row.checked).toMatch(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]$/);
  expect(Date.parse(row.checked)).toBeLessThan(Date.now());
  expect(new URL(row.source).protocol).toBe('https:');
  expect(inAppsByName.get(app)).toBe(app);
  expect(row.escape === 'x_safari' ? row.platform : 'ios').toBe('ios');
  expect(row.escape === 'intent' ? row.platform : 'android').toBe('android');
  const others = browserEscapes.filter((one) => one !== row && one.app === app && one.platform === row.platform);
  for (const other of others)
    expect((row.until ?? Infinity) <= (other.from ?? 0) || (other.until ?? Infinity) <= (row.from ?? 0)).toBe(true);
});

/** A user agent of each app, read by the list of in-app browsers. */
const inAppsByName = new Map(
  [
    'Instagram 445.0',
    '[FBAN/FBIOS;FBAV/450]',
    '[FBAN/MessengerForiOS]',
    'Barcelona 448.0',
    'musical_ly_32',
    '[LinkedInApp]',
    'Twitter for iPhone',
    'Telegram-iOS/1',
    'Line/14.7',
  ].map((token) => [inAppBrowserOf(iphone('18_0', token)), inAppBrowserOf(iphone('18_0', token))]),
);
