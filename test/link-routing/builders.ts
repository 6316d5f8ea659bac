import type { LinkPath } from '../../src/link-paths/paths/custom-path';
import type { RuleFacts } from '../../src/link-routing/visited-link/rules';
import type { Platform } from '../../src/link-routing/visitor/device-platform';
import type {
  VisitedAndroidApp,
  VisitedIosApp,
  VisitedLink,
  VisitedProject,
} from '../../src/link-routing/visited-link/visited-link';
import type { Visitor } from '../../src/link-routing/visitor/visitor';
import type { Subdomain } from '../../src/links/projects/subdomain';

/** Builds a project without apps and destinations, which is visited on its subdomain. */
export const aVisitedProject = (fields: Partial<VisitedProject> = {}): VisitedProject => ({
  id: '0198c0de-7e57-7000-8000-000000000001',
  subdomain: 'summer' as Subdomain,
  customDomain: null,
  opener: { subdomain: 'summer-open', customDomain: null },
  visited: { subdomain: 'summer', customDomain: null },
  visitedHostname: 'summer.go.example.com',
  longLinkDestinations: [],
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
  queryForwarding: 'all',
  forwardedParams: [],
  conversions: false,
  clickIdParam: 'click_id',
  iosApps: new Map(),
  androidApps: new Map(),
  ...fields,
});

/** Builds a link without destinations. */
export const aVisitedLink = (fields: Partial<VisitedLink> = {}): VisitedLink => ({
  id: '0198c0de-7e57-7000-8000-000000000002',
  shortLinkId: null,
  shortLinkSource: null,
  customPath: 'a' as LinkPath,
  externalId: null,
  appData: null,
  desktopUrl: null,
  iosAppId: null,
  androidAppId: null,
  iosFallbackUrl: null,
  androidFallbackUrl: null,
  iosDeferredDeepLink: false,
  socialTitle: null,
  socialDescription: null,
  socialImageUrl: null,
  referrerParams: [],
  queryForwarding: null,
  forwardedParams: [],
  conversions: false,
  title: null,
  disabled: false,
  activeFrom: null,
  activeUntil: null,
  expiredUrl: null,
  lock: null,
  rules: null,
  variants: null,
  variant: null,
  web: null,
  hostsOfSamePath: null,
  hasOtherSchemes: false,
  ...fields,
});

/** Builds an iOS app in no store. */
export const aVisitedIosApp = (fields: Partial<VisitedIosApp> = {}): VisitedIosApp => ({
  name: 'Shop',
  bundleId: 'com.example.shop',
  teamId: 'ABCDE12345',
  appstoreId: null,
  appClipBundleId: null,
  paths: null,
  sharedCredentials: false,
  ...fields,
});

/** Builds an Android app without fingerprints. */
export const aVisitedAndroidApp = (fields: Partial<VisitedAndroidApp> = {}): VisitedAndroidApp => ({
  name: 'Shop',
  packageName: 'com.example.shop',
  shaFingerprints: [],
  androidStores: null,
  paths: null,
  sharedCredentials: false,
  ...fields,
});

/** Builds the facts of a visitor about whom nothing is known, at noon in UTC on 1 June 2027. */
export const someFacts = (facts: Partial<RuleFacts> = {}): RuleFacts => ({
  system: { platform: 'other', version: null },
  browser: null,
  country: null,
  language: null,
  at: Date.parse('2027-06-01T12:00:00Z'),
  query: '',
  referringHost: null,
  address: null,
  qr: false,
  appVersion: null,
  ...facts,
});

/** Builds a person who uses an ordinary browser. */
export const aVisitor = (platform: Platform = 'desktop', fields: Partial<Visitor> = {}): Visitor => ({
  platform,
  socialCrawler: false,
  robot: false,
  browser: null,
  inAppBrowser: false,
  macintosh: false,
  androidStore: null,
  ...fields,
});
