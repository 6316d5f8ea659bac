import { AnswerContents, type ParsedVisit } from '../../../src/link-routing/answers/answer-contents';
import type { InAppBrowserPage } from '../../../src/link-routing/answers/answer';
import { longLinksId } from '../../../src/link-routing/visited-link/long-link';
import { linkQrCode } from '../../../src/link-routing/pages/link-qr-code';
import { landingPage } from '../../../src/link-routing/pages/landing';
import { inAppBrowserPage } from '../../../src/link-routing/pages/in-app-browser';
import { getTheAppPage } from '../../../src/link-routing/pages/get-the-app';
import type { HtmlPage } from '../../../src/link-routing/pages/page';
import type { PageLanguage } from '../../../src/link-routing/pages/page-texts';
import { otherSchemePage } from '../../../src/link-routing/pages/other-scheme';
import { previewPage } from '../../../src/link-routing/pages/preview';
import type { CachedLink, CachedProject } from '../../../src/link-traffic/resolving/cached-models';
import { LinkPages } from '../../../src/link-traffic/answers/link-pages';
import { LinkQrCodes } from '../../../src/link-traffic/answers/link-qr-codes';
import { PageCache } from '../../../src/link-traffic/answers/page-cache';
import type { Site } from '../../../src/link-traffic/resolving/site';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { LinkHosts } from '../../../src/link-paths/paths/link-hosts';
import {
  aVisitedAndroidApp,
  aVisitedIosApp,
  aVisitedLink,
  aVisitedProject,
  aVisitor,
} from '../../link-routing/builders';

const hosts = new LinkHosts(new URL('https://go.example.com'), new URL('https://api.example.com'));

interface CachedVisit extends ParsedVisit {
  project: CachedProject;
  link: CachedLink;
}

let cache: PageCache;
let pages: LinkPages<CachedVisit>;
let contents: AnswerContents<CachedVisit>;
let tokens = 0;
beforeEach(() => {
  cache = new PageCache(1_000_000);
  contents = new AnswerContents(
    hosts,
    () => `token-${++tokens}`,
    () => `click-${++tokens}`,
  );
  pages = new LinkPages(contents, cache, new LinkQrCodes(100_000, { now: () => 0 }));
});

let versions = 0;
const aCachedProject = (fields: Partial<CachedProject> = {}): CachedProject => ({
  ...aVisitedProject(),
  site: 'summer' as Site,
  version: ++versions,
  iosApps: new Map([['ios', aVisitedIosApp({ appstoreId: '42' })]]),
  androidApps: new Map([['android', aVisitedAndroidApp({ name: 'Store' })]]),
  longLinks: { id: longLinksId, shortLinkId: null, shortLinkSource: null, quarterSerial: 0, numberInQuarter: 0 },
  ...fields,
});
const aCachedLink = (fields: Partial<CachedLink> = {}): CachedLink => ({
  ...aVisitedLink({ iosAppId: 'ios', androidAppId: 'android', socialTitle: 'Sale' }),
  quarterSerial: 0,
  numberInQuarter: 0,
  version: ++versions,
  templateId: null,
  customPath: 'sale' as LinkPath,
  rules: null,
  variants: null,
  isSplit: false,
  externalId: null,
  appData: null,
  ...fields,
});

const known = { project: aCachedProject(), link: aCachedLink() };
const aVisit = (fields: Partial<CachedVisit> = {}): CachedVisit => ({
  ...known,
  path: 'sale' as LinkPath,
  visitor: aVisitor(),
  visitorQuery: '',
  wasOfferedApp: false,
  escape: null,
  ...fields,
});

const offer = (fallback: InAppBrowserPage['fallback']): InAppBrowserPage => ({
  kind: 'in-app-browser',
  app: { platform: 'android', name: 'Store', packageName: 'com.example.store' },
  fallback,
});
const toLanding = offer({ kind: 'landing' });
const toStore = offer({ kind: 'play-store', page: 'https://play.google.com/store/apps/details?id=com.example.store' });
const toAmazon = offer({ kind: 'redirect', location: 'https://www.amazon.com/gp/mas/dl/android?p=a.b' });
const toMail = { kind: 'other-scheme', destination: 'mailto:ann@example.com' } as const;
const getTheApp = { appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' };

/** Returns the page without a cache. */
const uncached = {
  landing: (visit: CachedVisit, language: PageLanguage) => {
    const content = contents.landing(visit);
    return landingPage({ ...content, code: linkQrCode(content.url) }, language);
  },
  preview: (visit: CachedVisit) => previewPage(contents.preview(visit)),
  inApp: (visit: CachedVisit, language: PageLanguage) =>
    inAppBrowserPage(contents.inAppBrowser(toLanding, visit), language),
  otherScheme: (visit: CachedVisit, language: PageLanguage) =>
    otherSchemePage(contents.otherScheme(toMail, visit), language),
};
const cached: Record<keyof typeof uncached, (visit: CachedVisit, language: PageLanguage) => HtmlPage> = {
  landing: (visit, language) => pages.landing(visit, language),
  preview: (visit) => pages.preview(visit),
  inApp: (visit, language) => pages.inAppBrowser(toLanding, visit, language),
  otherScheme: (visit, language) => pages.otherScheme(toMail, visit, language),
};
const names = ['landing', 'preview', 'inApp', 'otherScheme'] as const;

const macintosh = aVisitor('desktop', { macintosh: true });
const inApp = aVisitor('desktop', { macintosh: true, inAppBrowser: true });
const inNoStore = { project: aCachedProject({ iosApps: new Map([['ios', aVisitedIosApp()]]) }), link: aCachedLink() };
const visits: [string, Partial<CachedVisit>, PageLanguage?][] = [
  ['without parameters', {}],
  ['with parameters', { visitorQuery: 'a=1&b=2' }],
  ['in German', {}, 'de'],
  ['of a Macintosh', { visitor: macintosh }],
  ['of a Macintosh, with parameters', { visitor: macintosh, visitorQuery: 'a=1' }],
  ['of a Macintosh, with an app in no store', { ...inNoStore, visitor: macintosh }],
  ['of a Macintosh in an in-app browser', { ...inNoStore, visitor: inApp }],
  ['of a Macintosh that was offered the app', { ...inNoStore, visitor: inApp, wasOfferedApp: true }],
  ['that can leave the in-app browser', { escape: { address: 'x-safari-{url}', via: 'browser-page' } }],
  ['that can leave it by a measured way', { escape: { address: 'x-safari-{url}', via: 'browser-page~x_safari' } }],
  ['that can leave it by another way', { escape: { address: 'googlechrome:{url}', via: 'browser-page' } }],
  ['of an iPhone, with an app in no store', { ...inNoStore, visitor: aVisitor('ios') }],
  ['of an Android phone, with an app in no store', { ...inNoStore, visitor: aVisitor('android') }],
  ['of a robot', { visitor: aVisitor('desktop', { robot: true }) }],
  ['of another path', { path: 's2' as LinkPath }],
  ['of a custom domain', { project: aCachedProject({ site: 'CUSTOM x.example' as Site, customDomain: 'x.example' }) }],
  ['of a changed link', { link: aCachedLink({ socialTitle: 'Other', socialImageUrl: null }) }],
  ['of a project with another app name', { project: aCachedProject({ iosApps: new Map() }) }],
  ['of a link with a title outside Latin-1', { link: aCachedLink({ socialTitle: 'セール “夏”' }) }],
];

describe.each(names)('the page %s', (name) => {
  test('is the same with and without the cache, in any order of visits', () => {
    for (const order of [visits, [...visits].reverse(), visits])
      for (const [what, fields, language = 'en'] of order) {
        const [page, expected] = [cached, uncached].map((from) => from[name](aVisit(fields), language)) as [
          HtmlPage,
          HtmlPage,
        ];
        expect([what, page.html]).toEqual([what, expected.html]);
        expect(page.contentSecurityPolicy).toBe(expected.contentSecurityPolicy);
        expect(page.bytes).toBe(Buffer.byteLength(page.html));
        expect(Buffer.from(page.html, page.encoding)).toEqual(Buffer.from(page.html));
      }
  });

  test('is rendered once for visits without parameters', () => {
    const page = cached[name](aVisit(), 'en');
    cached[name](aVisit({ visitorQuery: 'a=1' }), 'en');
    expect(cached[name](aVisit(), 'en')).toBe(page);
    expect(cache.counts).toMatchObject({ hits: 1, misses: 1 });
  });
});

test('pages with a token are not reused', () => {
  const html = [1, 2].map(() => [
    pages.inAppBrowser(toStore, aVisit(), 'en').html,
    pages.getTheApp(getTheApp, aVisit(), 'en').html,
  ]);
  for (const at of [0, 1]) {
    expect(html[0]![at]).not.toBe(html[1]![at]);
    expect(html[0]![at]!.replace(/token-\d+/g, '')).toBe(html[1]![at]!.replace(/token-\d+/g, ''));
  }
  const content = contents.getTheApp(getTheApp, aVisit());
  expect(getTheAppPage(content, 'en').html.replace(/token-\d+/g, '')).toBe(html[0]![1]!.replace(/token-\d+/g, ''));
});

test('a device with another store shares no page with devices of Google Play', () => {
  const onFire = { visitor: aVisitor('android', { androidStore: 'amazon' }) };
  expect(pages.inAppBrowser(toAmazon, aVisit(onFire), 'en').html).toContain('www.amazon.com');
  expect(pages.inAppBrowser(toStore, aVisit(), 'en').html).not.toContain('www.amazon.com');
});

test('the cache stays within its size', () => {
  for (let at = 0; at < 1000; at++) pages.landing(aVisit({ path: `link-${at}` as LinkPath }), 'en');
  expect(cache.size).toBeGreaterThan(100);
  expect(cache.size).toBeLessThan(400);
});
