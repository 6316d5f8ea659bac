import { destinationUrl } from '../../../src/shared/destination-url';
import { builtInEscapes } from '../../../src/link-routing/escapes/browser-escapes';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { LinkHosts } from '../../../src/link-paths/paths/link-hosts';
import {
  AnswerContents,
  hasClickId,
  hasToken,
  phonePlatformOf,
  type ParsedVisit,
} from '../../../src/link-routing/answers/answer-contents';
import type { InAppBrowserPage, RegularAnswer } from '../../../src/link-routing/answers/answer';
import type { VisitedLink } from '../../../src/link-routing/visited-link/visited-link';
import type { Visitor } from '../../../src/link-routing/visitor/visitor';
import { aVisitedAndroidApp, aVisitedIosApp, aVisitedLink, aVisitedProject, aVisitor } from '../builders';

const hosts = new LinkHosts(new URL('https://go.example.com'), new URL('https://api.example.com'));
const contentsWith = (token: string | null, click: string | null) =>
  new AnswerContents(
    hosts,
    () => token,
    () => click,
  );
const contents = contentsWith(null, null);
const withToken = contentsWith('To_ken-1', 'Click-1');
const address = 'https://summer.go.example.com/sale';
/** iOS opens the app for a link on another host than that of the page. */
const opener = 'https://summer-open.go.example.com/sale';

const project = aVisitedProject({
  iosApps: new Map([
    ['in store', aVisitedIosApp({ appstoreId: '42' })],
    ['in no store', aVisitedIosApp({ name: 'Beta', bundleId: 'com.example.beta' })],
    ['opens nothing', aVisitedIosApp({ appstoreId: '43', paths: [] })],
  ]),
  androidApps: new Map([['app', aVisitedAndroidApp({ name: 'Store', packageName: 'com.example.store' })]]),
});

interface Visit {
  link?: Partial<VisitedLink>;
  visitor?: Partial<Visitor>;
  escape?: keyof typeof builtInEscapes.ways;
  visitorQuery?: string;
  wasOfferedApp?: boolean;
  customDomain?: string;
  onOpenHost?: boolean;
}

const aVisit = ({
  link,
  visitor,
  escape,
  visitorQuery = '',
  wasOfferedApp = false,
  customDomain,
  onOpenHost = false,
}: Visit = {}): ParsedVisit => ({
  project: {
    ...project,
    customDomain: customDomain ?? null,
    ...(onOpenHost && { opener: project.visited, visited: project.opener }),
  },
  link: aVisitedLink({ id: 'l', ...link }),
  path: 'sale' as LinkPath,
  visitor: aVisitor('desktop', visitor),
  visitorQuery,
  wasOfferedApp,
  escape: escape === undefined ? null : { address: builtInEscapes.ways[escape]!, via: 'browser-page' },
});

const social = {
  socialTitle: 'Sale',
  socialDescription: 'Half price.',
  socialImageUrl: destinationUrl.parse('https://p.example/x.png'),
};
const card = { title: 'Sale', description: 'Half price.', imageUrl: 'https://p.example/x.png' };
const noCard = { description: null, imageUrl: null };
const params = [['ct', 'link']] as const;

test.each<[string, Visit, string]>([
  ['without parameters', {}, address],
  ['with parameters', { visitorQuery: 'a=1&b' }, `${address}?a=1&b`],
  ['with bytes outside ASCII', { visitorQuery: 'a=\u00fc#' }, `${address}?a=%FC%23`],
  ['on a custom domain', { customDomain: 'links.example.org' }, 'https://links.example.org/sale'],
])('urlOf returns the URL of a visit %s', (_, visit, url) => {
  expect(contents.urlOf(aVisit(visit))).toBe(url);
});

test.each<[Partial<Visitor>, 'ios' | 'android' | null]>([
  [{ platform: 'ios' }, 'ios'],
  [{ platform: 'android' }, 'android'],
  [{ platform: 'desktop' }, null],
  [{ platform: 'ios', robot: true }, null],
  [{ platform: 'android', robot: true }, null],
])('the phone platform of %j is %p', (visitor, phone) => {
  expect(phonePlatformOf(aVisit({ visitor }).visitor)).toBe(phone);
});

const shop = { appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' };
test.each<[RegularAnswer, token: boolean, tokenInFallback: boolean, click: boolean]>([
  [{ kind: 'play-store', page: 'https://play.google.com/' }, true, true, false],
  [{ kind: 'get-the-app', ...shop }, true, false, false],
  [{ kind: 'redirect', location: '/' }, false, false, false],
  [{ kind: 'redirect', location: '/', clickIdParam: 'click_id' }, false, false, true],
  [{ kind: 'landing' }, false, false, false],
])('%j contains a token: %s, after a page that leaves an app: %s; a click id: %s', (answer, token, later, click) => {
  expect([answer, iosPage(answer)].map(hasToken)).toEqual([token, later]);
  expect([answer, iosPage(answer)].map(hasClickId)).toEqual([click, click]);
});

const play = 'https://play.google.com/store/apps/details?id=com.example.store';

test('the Play Store URL contains the parameters of link and visitor, and the token', () => {
  expect(contents.playStoreUrl(play, aVisit(), 'store')).toBe(play);
  expect(withToken.playStoreUrl(play, aVisit({ link: { referrerParams: params }, visitorQuery: 'a=1' }), 'store')).toBe(
    `${play}&referrer=${encodeURIComponent('ct=link&a=1&deferred_link=To_ken-1')}`,
  );
});

test('a redirect has a click id if it has a parameter for it, and the visit gets one', () => {
  const [kind, location] = ['redirect', 'https://shop.example.com/'] as const;
  const urlsOf = (of: typeof contents) =>
    [{}, { clickIdParam: 'id' }].map((more) => of.redirectUrl({ kind, location, ...more }, aVisit()));
  expect([...urlsOf(contents), ...urlsOf(withToken)]).toEqual([location, location, location, `${location}?id=Click-1`]);
});

test.each<[string, Visit, object]>([
  ['its social card', { link: social }, card],
  ['its host if it has no title', {}, { title: 'summer.go.example.com', ...noCard }],
  [
    'its host for an empty title',
    { link: { socialTitle: '', socialDescription: '' } },
    { title: 'summer.go.example.com', description: '', imageUrl: null },
  ],
])('the preview of a link shows %s', (_, visit, shown) => {
  expect(contents.preview(aVisit(visit))).toEqual({ url: address, siteName: 'summer.go.example.com', ...shown });
});

test.each<[destination: string, attemptedBy: Visitor['platform'][]]>([
  ['mailto:ann@example.com', ['ios', 'android', 'desktop']],
  ['tel:+4930123', ['ios', 'android']],
  ['sms:+4930123', ['ios', 'android']],
  ['itms-apps://apps.apple.com/app/id42', ['ios']],
  ['market://details?id=com.example.shop', ['android']],
  ['whatsapp://send?text=a', []],
  ['shop://sale', []],
])('the page of %s opens it without a tap on %j', (destination, attemptedBy) => {
  const isAttempted = (visitor: Partial<Visitor>) =>
    contents.otherScheme({ kind: 'other-scheme', destination }, aVisit({ visitor })).isAttempted;
  const platforms = ['ios', 'android', 'desktop'] as const;
  expect(platforms.filter((platform) => isAttempted({ platform }))).toEqual(attemptedBy);
  expect(platforms.filter((platform) => isAttempted({ platform, robot: true }))).toEqual([]);
  expect(platforms.filter((platform) => isAttempted({ platform, inAppBrowser: true }))).toEqual([]);
});

test('the page of another scheme shows the card, and a way out of an in-app browser', () => {
  const mail = { kind: 'other-scheme', destination: 'mailto:ann@example.com' } as const;
  const page = { destination: mail.destination, isAttempted: true, browserUrl: null, ...card };
  expect(contents.otherScheme(mail, aVisit({ link: social }))).toEqual(page);
  const inApp = aVisit({ visitor: { inAppBrowser: true }, escape: 'x_safari', visitorQuery: 'a=1' });
  const browserUrl = `x-safari-${address}?a=1&_via=browser-page`;
  expect(contents.otherScheme(mail, inApp)).toMatchObject({ isAttempted: false, browserUrl });
});

test('the get-the-app page copies the URL, with the token if one is issued', () => {
  const wanted = { appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' };
  expect(contents.getTheApp(wanted, aVisit({ link: { iosAppId: 'in store' }, visitorQuery: 'a=1' }))).toEqual({
    ...wanted,
    clipboardText: `${address}?a=1`,
    openUrl: `${opener}?a=1&_via=open`,
    title: 'Shop',
    ...noCard,
  });
  expect(withToken.getTheApp(wanted, aVisit({ link: { ...social, iosAppId: 'in store' } }))).toEqual({
    ...wanted,
    clipboardText: `${address}?deferred_link=To_ken-1`,
    openUrl: `${opener}?_via=open`,
    ...card,
  });
});

test.each<[string, Visit]>([
  ['that the visitor has tried', { link: { iosAppId: 'in store' }, wasOfferedApp: true }],
  ['without paths', { link: { iosAppId: 'opens nothing' } }],
])('the get-the-app page does not offer an app %s', (_, visit) => {
  const wanted = { appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' };
  expect(contents.getTheApp(wanted, aVisit(visit)).openUrl).toBeNull();
});

const iosPage = (fallback: RegularAnswer): InAppBrowserPage => ({
  kind: 'in-app-browser',
  app: { platform: 'ios', name: 'Shop' },
  fallback,
});
const androidPage = (fallback: RegularAnswer): InAppBrowserPage => ({
  kind: 'in-app-browser',
  app: { platform: 'android', name: 'Store', packageName: 'com.example.store' },
  fallback,
});
const redirect: RegularAnswer = { kind: 'redirect', location: 'https://d.example/?a=1' };
const intent = (fallback: string) =>
  `intent://summer.go.example.com/sale#Intent;scheme=https;package=com.example.store;S.browser_fallback_url=${encodeURIComponent(fallback)};end`;

const onMacintosh = { visitor: { macintosh: true }, escape: 'instagram' } as const;
const toGetTheApp = iosPage({ kind: 'get-the-app', appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' });

test.each<[string, InAppBrowserPage, Visit, openUrl: string, continueUrl: string, browserUrl: string | null]>([
  ['on iOS, before a redirect', iosPage(redirect), {}, `${opener}?_via=open`, 'https://d.example/?a=1', null],
  [
    'on iOS, before the landing page',
    iosPage({ kind: 'landing' }),
    { link: social, visitorQuery: 'a=1', escape: 'x_safari' },
    `${opener}?a=1&_via=open`,
    `${address}?a=1&_via=page`,
    `x-safari-${address}?a=1&_via=browser-page`,
  ],
  [
    'on the open host, where “Continue” stays',
    iosPage({ kind: 'landing' }),
    { onOpenHost: true, escape: 'x_safari' },
    `${address}?_via=open`,
    `${opener}?_via=page`,
    `x-safari-${address}?_via=browser-page`,
  ],
  [
    'on an iPad that calls itself a Macintosh',
    toGetTheApp,
    onMacintosh,
    `${opener}?_via=ipad-open`,
    `${address}?_via=ipad-page`,
    `instagram://extbrowser/?url=${encodeURIComponent(`${address}?_via=ipad-browser-page`)}`,
  ],
  [
    'on Android, before a redirect',
    androidPage(redirect),
    { escape: 'intent' },
    intent('https://d.example/?a=1'),
    'https://d.example/?a=1',
    'intent://summer.go.example.com/sale?_via=browser-page#Intent;scheme=https;end',
  ],
  [
    'on Android, before the Play Store',
    androidPage({ kind: 'play-store', page: play }),
    {},
    intent(play),
    `${address}?_via=page`,
    null,
  ],
])('the in-app browser page %s', (_, page, visit, openUrl, continueUrl, browserUrl) => {
  const appName = page.app.name;
  const shown = visit.link === social ? card : { title: appName, ...noCard };
  expect(contents.inAppBrowser(page, aVisit(visit))).toEqual({ appName, openUrl, continueUrl, browserUrl, ...shown });
});

const [inStore, inNoStore, opensNothing] = ['in store', 'in no store', 'opens nothing'].map((iosAppId) => ({
  iosAppId,
}));
const android = { androidAppId: 'app' };
const stores = { iosAppId: 'in store', ...android };
const ios = { platform: 'ios' } as const;
const mac = { macintosh: true };
const inApp = { macintosh: true, inAppBrowser: true };
const onlyAndroid = { appStoreUrl: null, playStoreUrl: play };
const onlyIos = { appStoreUrl: 'https://apps.apple.com/app/id42', playStoreUrl: null };

test.each<[string, Visit, object]>([
  ['nothing', {}, { title: 'summer.go.example.com', ...noCard, appStoreUrl: null, playStoreUrl: null, ipadUrl: null }],
  [
    'apps and a social card',
    { link: { ...social, ...stores, referrerParams: params }, visitorQuery: 'a=1' },
    {
      url: `${address}?a=1&_via=qr`,
      ...card,
      appStoreUrl: 'https://apps.apple.com/app/id42?ct=link',
      playStoreUrl: `${play}&referrer=ct%3Dlink%26a%3D1`,
      ipadUrl: null,
    },
  ],
  ['an app in no store', { link: inNoStore }, { appStoreUrl: null, playStoreUrl: null }],
  ['an app, for a Macintosh that may be an iPad', { link: inStore, visitor: mac }, { ipadUrl: `${opener}?_via=ipad` }],
  ['nothing for an iPad, for a Macintosh', { visitor: mac }, { ipadUrl: null }],
  ['rules, for a Macintosh', { link: { rules: [] }, visitor: mac }, { ipadUrl: `${address}?_via=ipad` }],
  ['an app, for a Macintosh in an app', { link: inNoStore, visitor: inApp }, { ipadUrl: `${opener}?_via=ipad` }],
  ['an app that was offered', { link: inNoStore, visitor: inApp, wasOfferedApp: true }, { ipadUrl: null }],
  ['an app without paths', { link: opensNothing, visitor: mac }, { ipadUrl: `${address}?_via=ipad` }],
  ['an Android app, for an iPhone', { link: android, visitor: ios }, { ...onlyAndroid, lacksOwnStore: true }],
  ['an iOS app, for Android', { link: inStore, visitor: { platform: 'android' } }, { ...onlyIos, lacksOwnStore: true }],
  ['its own store, for an iPhone', { link: stores, visitor: ios }, { lacksOwnStore: false }],
  ['its own store, for an Android phone', { link: stores, visitor: { platform: 'android' } }, { lacksOwnStore: false }],
  ['only an Android app, for a computer', { link: android }, { lacksOwnStore: false }],
  ['an app in no store, for a Macintosh', { link: inNoStore, visitor: mac }, { ipadUrl: null }],
])('the landing page of a link with %s', (_, visit, landing) => {
  // The landing page has no token, because tokens are single-use and belong to phones.
  expect(withToken.landing(aVisit(visit))).toMatchObject({ url: `${address}?_via=qr`, ...landing });
});
