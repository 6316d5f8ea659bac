import { buildOfManifest } from '../../../clients/typescript/src/command/app-build-android';
import { buildOfExpo } from '../../../clients/typescript/src/command/app-build-expo';
import { buildOfPlist } from '../../../clients/typescript/src/command/app-build-ios';
import { readPage } from '../../support/pages';

const plist = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>${content}</dict></plist>`;

test('entitlements name hosts of applinks only', () => {
  const domains = ['applinks:Go.example.com', 'applinks:*.example.org?mode=developer', 'webcredentials:example.net'];
  const array = domains.map((domain) => `<string>${domain}</string>`).join('\n');
  expect(buildOfPlist(plist(`<key>com.apple.developer.associated-domains</key>\n<array>${array}</array>`))).toEqual([
    { platform: 'ios', version: null, identifier: null, hosts: ['go.example.com', '*.example.org'], paths: null },
  ]);
});

test.each([
  ['<string>1.2.3</string>', '1.2.3'],
  ['<string>$(MARKETING_VERSION)</string>', null],
  ['<string/>', null],
])('a property list has the version %s: %s', (value, version) => {
  const content = `<key>CFBundleIdentifier</key><string>com.example.shop</string><key>CFBundleShortVersionString</key>${value}`;
  expect(buildOfPlist(plist(content))).toEqual([
    { platform: 'ios', version, identifier: 'com.example.shop', hosts: [], paths: null },
  ]);
});

const manifest = (filters: string) =>
  `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.shop" android:versionName="1.2.3">
     <application><activity>${filters}</activity></application></manifest>`;

test.each<[data: string, hosts: string[], paths: string[] | null]>([
  ['<data android:scheme="https" android:host="Go.example.com" />', ['go.example.com'], null],
  [
    '<data android:host="a.example"/><data android:pathPrefix="/shop/"/><data android:path="/sale"/>',
    ['a.example'],
    ['/shop/*', '/sale'],
  ],
  ["<data android:host='a.example' android:pathPattern='/shop/.*'/>", ['a.example'], ['/shop/*']],
  ['<data android:host="a.example" android:pathPattern="/s.*/x"/>', ['a.example'], null],
  ['<!-- <data android:host="old.example"/> -->', [], null],
])('a manifest with %s', (data, hosts, paths) => {
  const verified = `<intent-filter android:autoVerify="true">${data}</intent-filter>`;
  const others = '<intent-filter><data android:host="unverified.example"/></intent-filter>';
  expect(buildOfManifest(manifest(verified + others))).toEqual([
    { platform: 'android', version: '1.2.3', identifier: 'com.example.shop', hosts, paths },
  ]);
});

test('a filter without a path opens all paths, beside one with paths', () => {
  const filters = ['<data android:host="a.example" android:path="/sale"/>', '<data android:host="b.example"/>'].map(
    (data) => `<intent-filter android:autoVerify="true">${data}</intent-filter>`,
  );
  expect(buildOfManifest(manifest(filters.join('')))).toMatchObject([
    { hosts: ['a.example', 'b.example'], paths: null },
  ]);
});

test("app.json of Expo has the hosts of the SDK's plugin", () => {
  const [, text] = /```json\n(\{\n {2}"expo"[^]*?)```/.exec(readPage('docs/apps/expo.md'))!;
  const hosts = ['summer.go.example.com', 'summer-open.go.example.com'];
  const build = { version: '1.2.3', identifier: 'com.example.shop', hosts, paths: null };
  expect(buildOfExpo(text!, 'app.json')).toEqual([
    { platform: 'ios', ...build },
    { platform: 'android', ...build },
  ]);
  const { expo } = JSON.parse(text!) as { expo: object };
  const intentFilters = [{ autoVerify: true, data: [{ scheme: 'https', host: hosts[0], pathPrefix: '/shop' }] }];
  const both = { ...expo, android: { package: 'com.example.shop', intentFilters }, ios: undefined };
  expect(buildOfExpo(JSON.stringify(both), 'app.json')).toMatchObject([{ hosts: [] }, { hosts, paths: null }]);
});

test('app.json of Expo has both platforms', () => {
  const app = {
    version: '1.2.3',
    ios: { bundleIdentifier: 'com.example.shop', associatedDomains: ['applinks:go.example.com'] },
    android: {
      version: '1.2.4',
      package: 'com.example.shop',
      intentFilters: [
        { autoVerify: true, data: [{ scheme: 'https', host: 'go.example.com', pathPrefix: '/shop' }] },
        { data: { scheme: 'shop' } },
      ],
    },
  };
  const build = { identifier: 'com.example.shop', hosts: ['go.example.com'] };
  const builds = [
    { platform: 'ios', version: '1.2.3', ...build, paths: null },
    { platform: 'android', version: '1.2.4', ...build, paths: ['/shop*'] },
  ];
  expect(buildOfExpo(JSON.stringify({ expo: app }), 'app.json')).toEqual(builds);
  expect(buildOfExpo(JSON.stringify(app), 'app.json')).toEqual(builds);
  expect(() => buildOfExpo('{', 'app.json')).toThrow('app.json is no JSON');
});
