import type { DynamicLink } from '../../../src/links/dynamic-links/dynamic-link';
import type { Project } from '../../../src/links/projects/project';
import type { Subdomain } from '../../../src/links/projects/subdomain';
import { LinkHosts } from '../../../src/link-paths/paths/link-hosts';
import { toLinkReadModel, toProjectReadModel } from '../../../src/link-routing/visited-link/read-models';
import { aVisitedAndroidApp, aVisitedIosApp } from '../builders';
import { servedParams, servedUrl } from '../../../src/link-routing/visited-link/served-values';

const hosts = new LinkHosts(new URL('https://go.example.com'), new URL('https://api.example.com'));

test('the read model of a project has its apps, and the hosts of a visit', () => {
  const project = {
    id: 'p',
    subdomain: 'summer',
    customDomain: 'links.example.com',
    longLinkDestinations: ['shop.example.com'],
    rootUrl: null,
    notFoundUrl: null,
    queryForwarding: 'all',
    forwardedParams: [],
  } as unknown as Project;
  const stored = { projectId: 'p', createdAt: new Date(0), updatedAt: new Date(0) };
  const iosApp = {
    ...stored,
    id: 'i',
    ...aVisitedIosApp({
      appstoreId: '42',
      appClipBundleId: 'com.example.shop.Clip',
      paths: ['/a*'],
      sharedCredentials: true,
    }),
  };
  const androidApp = {
    ...stored,
    id: 'a',
    ...aVisitedAndroidApp({
      shaFingerprints: ['AA'],
      androidStores: { amazon: 'com.example.store' },
      sharedCredentials: true,
    }),
  };
  expect(toProjectReadModel(project, [iosApp], [androidApp], null, hosts)).toEqual({
    ...project,
    opener: project,
    visited: project,
    visitedHostname: 'links.example.com',
    expiredUrl: null,
    iosApps: new Map([['i', iosApp]]),
    androidApps: new Map([['a', androidApp]]),
  });
  const opener = { subdomain: 'summer-open' as Subdomain, customDomain: null };
  expect(toProjectReadModel(project, [], [], opener, hosts).opener).toBe(opener);
});

const stored = {
  id: 'l',
  projectId: 'p',
  name: 'A link',
  customPath: 'sale',
  queryForwarding: null,
  forwardedParams: [],
  desktopUrl: 'https://d.example/',
  iosAppId: 'i',
  androidAppId: 'a',
  iosFallbackUrl: 'https://i.example/',
  androidFallbackUrl: 'https://a.example/',
  iosDeferredDeepLink: true,
  socialTitle: 'Sale',
  socialDescription: 'Half price.',
  socialImageUrl: 'https://p.example/x.png',
  referrerParams: [['ct', '1']],
  title: 'For people',
  externalId: 'crm-1',
  appData: '{}',
  disabled: true,
  activeFrom: null,
  activeUntil: null,
  expiredUrl: 'https://e.example/',
  variants: null,
  rules: null,
  passwordHash: null,
  clickLimit: null,
  usedUp: false,
} as unknown as DynamicLink;

const served = {
  ...stored,
  shortLinkId: null,
  shortLinkSource: null,
  hostsOfSamePath: null,
  hasOtherSchemes: false,
  lock: null,
  web: null,
  variant: null,
};

test('the read model of a link has its destinations, apps and social card', () => {
  expect(toLinkReadModel(stored, stored.customPath)).toEqual(served);
});

test('a password or a limit locks a link, and no app opens it', () => {
  const passwordHash = Buffer.alloc(48);
  for (const [fields, lock] of [
    [{ passwordHash }, { passwordHash, isLimited: false, isUsedUp: false }],
    [
      { clickLimit: 1, usedUp: true },
      { passwordHash: null, isLimited: true, isUsedUp: true },
    ],
  ] as const) {
    const link = Object.assign({}, stored, fields as object);
    expect(toLinkReadModel(link, link.customPath)).toMatchObject({ lock, web: { ios: true, android: true } });
  }
});

test.each(['desktopUrl', 'iosFallbackUrl', 'androidFallbackUrl', 'socialImageUrl', 'expiredUrl'])(
  'a stored %s that is no http URL is not served',
  (field) => {
    const link = Object.assign({}, stored, { [field]: 'javascript:alert(1)' });
    expect(toLinkReadModel(link, link.customPath)).toEqual({ ...served, [field]: null });
  },
);

test('a link with another scheme is marked when it is loaded', () => {
  for (const field of ['desktopUrl', 'iosFallbackUrl', 'androidFallbackUrl']) {
    const link = Object.assign({}, stored, { [field]: 'mailto:ann@example.com' });
    expect(toLinkReadModel(link, link.customPath)).toEqual({
      ...served,
      [field]: 'mailto:ann@example.com',
      hasOtherSchemes: true,
    });
  }
  const link = Object.assign({}, stored, { socialImageUrl: 'mailto:ann@example.com' });
  expect(toLinkReadModel(link, link.customPath)).toEqual({ ...served, socialImageUrl: null });
});

test.each([
  [null, null],
  ['https://e.com', 'https://e.com/'],
  ['data:text/html,x', null],
  ['https://user@e.com/', null],
])('the stored URL %p is served as %p', (url, expected) => {
  expect(servedUrl(url)).toBe(expected);
});

const twice = ['1', ''].map((value) => ['a', value]);

test.each<[unknown, unknown]>([
  [[], []],
  [twice, twice],
  [null, []],
  [undefined, []],
  ['a=1', []],
  [{ a: '1' }, []],
  [['ab'], []],
  [[['a']], []],
  [[['a', '1', '2']], []],
  [[['a', 1]], []],
  [[[1, 'a']], []],
  [[['a', '1'], null], []],
  [[['a', '1'], ['b']], []],
])('the stored parameters %j are served as %j', (params, expected) => {
  expect(servedParams(params)).toEqual(expected);
});
