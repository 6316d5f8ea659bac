import { lostPattern } from '../../../src/link-paths/release-guard/pattern-cover';
import {
  breaksOf,
  type LinkApps,
  type LiveRelease,
  type ReleaseChange,
  type Served,
  type ServedApp,
} from '../../../src/link-paths/release-guard/release-breaks';

const ios: ServedApp = {
  platform: 'ios',
  id: 'i',
  identifier: 'com.example.Shop',
  teamId: 'ABCDE12345',
  fingerprints: [],
  paths: null,
};
const android: ServedApp = {
  platform: 'android',
  id: 'a',
  identifier: 'com.example.shop',
  teamId: null,
  fingerprints: ['AA', 'BB'],
  paths: null,
};
const served: Served = {
  hosts: ['go.example.com', 'shop.links.test'],
  linkHost: 'go.example.com',
  apps: [ios, android],
};
const onIos: LiveRelease = {
  platform: 'ios',
  appId: 'i',
  version: '1.0',
  hosts: ['go.example.com', 'shop.links.test'],
  paths: ['/shop/*', '/sale'],
  identifier: 'com.example.shop',
  fingerprints: [],
};
const onAndroid: LiveRelease = { ...onIos, platform: 'android', appId: 'a', version: '2.0', fingerprints: ['AA'] };

const withApp = (changes: Partial<ServedApp>): Served => ({
  ...served,
  apps: served.apps.map((app) => ({ ...app, ...changes })),
});
const moved = (before: Partial<LinkApps>, after: Partial<LinkApps>): ReleaseChange => {
  const link = { customPath: 'shop/shoe', iosAppId: null, androidAppId: null };
  return { before: served, after: served, link: { before: { ...link, ...before }, after: { ...link, ...after } } };
};
/** A project with a second iOS app. */
const withOther = (paths: string[] | null, ownPaths: string[] | null = null): Served => ({
  ...served,
  apps: [{ ...ios, paths: ownPaths }, android, { ...ios, id: 'j', identifier: 'com.example.other', paths }],
});
const linkOf = (path: string, iosAppId: string | null) => ({ path, iosAppId, androidAppId: null });
const between = (before: Served, after: Served): ReleaseChange => ({ before, after });
const to = (after: Served): ReleaseChange => between(served, after);
const nothing: Served = { hosts: [], linkHost: null, apps: [] };
const inShop = withApp({ paths: ['/shop/*'] });
const otherApp = [{ iosAppId: 'i' }, { iosAppId: 'j' }] as const;

describe('breaksOf', () => {
  test.each<[what: string, change: ReleaseChange, reasons: string[]]>([
    ['nothing', to(served), []],
    [
      'a host is gone',
      to({ ...served, hosts: ['go.example.com'] }),
      ['ios host shop.links.test', 'android host shop.links.test'],
    ],
    ['another host is gone', { before: { ...served, hosts: [...served.hosts, 'old.test'] }, after: served }, []],
    ['links get a host that versions open', to({ ...served, linkHost: 'shop.links.test' }), []],
    [
      'links get a host that no version opens',
      to({ ...served, hosts: [...served.hosts, 'new.test'], linkHost: 'new.test' }),
      ['ios link_host go.example.com', 'android link_host go.example.com'],
    ],
    ['an app is deleted', to({ ...served, apps: [android] }), ['ios app com.example.shop']],
    ['an app is added', to({ ...served, apps: [...served.apps, { ...ios, id: 'j' }] }), []],
    [
      'the letter case of a bundle identifier',
      to({ ...served, apps: [{ ...ios, identifier: 'COM.example.shop' }, android] }),
      [],
    ],
    [
      'the letter case of a package name',
      to({ ...served, apps: [ios, { ...android, identifier: 'COM.example.shop' }] }),
      ['android identifier com.example.shop'],
    ],
    [
      'another team',
      to({ ...served, apps: [{ ...ios, teamId: 'ZZZZZ12345' }, android] }),
      ['ios identifier ABCDE12345.com.example.shop'],
    ],
    ['a fingerprint of another version is dropped', to(withApp({ fingerprints: ['AA'] })), []],
    ['a fingerprint is dropped', to(withApp({ fingerprints: ['BB'] })), ['android fingerprint AA']],
    ['a fingerprint is added', to(withApp({ fingerprints: ['AA', 'BB', 'CC'] })), []],
    ['paths that versions need stay', to(withApp({ paths: ['/s*'] })), []],
    ['paths are narrowed', to(withApp({ paths: ['/shop/*'] })), ['ios paths /sale', 'android paths /sale']],
    ['another app takes paths', to(withOther(['/shop/*', '/news/*'])), ['ios paths /shop/*']],
    ['another app takes paths that no version needs', to(withOther(['/news/*'])), []],
    ['another app has the paths already', { before: withOther(['/s*']), after: withOther(['/s*', '/sale']) }, []],
    [
      'paths are derived, and another app has some',
      between(withOther(['/sale'], ['/*']), withOther(['/sale'])),
      ['ios paths /sale'],
    ],
    [
      'paths are derived, and links open another app',
      {
        before: withOther(null, ['/*']),
        after: { ...withOther(null), links: [linkOf('a', null), linkOf('shop/shoe', 'i'), linkOf('sale', 'j')] },
      },
      ['ios paths /sale'],
    ],
    [
      'paths are derived, and links of another app are elsewhere',
      { before: withOther(null, ['/*']), after: { ...withOther(null), links: [linkOf('news', 'j')] } },
      [],
    ],
    ['the project is deleted', to(nothing), ['ios host go.example.com', 'android host go.example.com']],
    ['a link gets another app', moved(...otherApp), ['ios link /shop/shoe']],
    ['a link gets an app', moved({}, { iosAppId: 'j' }), ['ios link /shop/shoe']],
    ['a link gets the app', moved({}, { androidAppId: 'a' }), []],
    ['a link loses its app', moved({ iosAppId: 'i' }, {}), []],
    ['a link of another app moves', moved({ androidAppId: 'b' }, { androidAppId: 'c' }), []],
    [
      'a link outside of the paths moves',
      moved({ customPath: 'news', iosAppId: 'i' }, { customPath: 'news', iosAppId: 'j' }),
      [],
    ],
    ['a link moves whose app has patterns', { ...moved(...otherApp), ...between(inShop, inShop) }, []],
    ['a project without its app', between({ ...served, apps: [] }, nothing), []],
    ['a project without its hosts', between({ ...served, hosts: ['x.test'] }, { ...served, hosts: [], apps: [] }), []],
  ])('%s', (_, change, reasons) => {
    const broken = breaksOf(change, [onIos, onAndroid]);
    expect(broken.map(({ platform, reason, lost }) => `${platform} ${reason} ${lost}`)).toEqual(reasons);
  });

  test('a version opens all hosts below a wildcard, and not the host above', () => {
    const wild = { ...onIos, hosts: ['*.example.com'] };
    const withoutHosts = { ...served, hosts: [] };
    expect(breaksOf(to(withoutHosts), [wild])).toHaveLength(1);
    expect(breaksOf(between({ ...served, hosts: ['example.com'] }, withoutHosts), [wild])).toEqual([]);
  });
});

test.each<[needed: string[] | null, before: string[] | null, after: string[] | null, lost: string | null]>([
  [null, null, null, null],
  [null, null, ['/*'], null],
  [null, null, ['/shop/*'], '/*'],
  [null, null, [], '/*'],
  [null, ['/shop/*'], null, null],
  [['/shop/*'], null, ['/*'], null],
  [['/shop/*'], null, ['/shop/shoes/*'], '/shop/*'],
  [['/shop/shoes/*'], ['/shop/*'], ['/shop/s*'], null],
  [['/*'], ['/a', '/b'], ['/a'], '/b'],
  [['/a'], ['/a', '/b'], ['/a'], null],
  [['/a*'], ['/ab'], [], '/ab'],
  [['/a'], ['/b'], [], null],
  [[], null, [], null],
])('the pattern that %j of %j loses in %j: %j', (needed, before, after, lost) => {
  expect(lostPattern(needed, before, after)).toBe(lost);
});
